package io.lastcall.examples.cluster.discovery;

import static org.awaitility.Awaitility.await;

import io.lastcall.examples.cluster.Outcome;
import io.lastcall.examples.cluster.RegistryTrial;
import io.lastcall.testing.Program;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.apache.curator.x.discovery.ServiceDiscovery;
import org.apache.curator.x.discovery.ServiceDiscoveryBuilder;
import org.apache.curator.x.discovery.ServiceProvider;

/** With ZooKeeper in the tests' JVM. */
public final class DiscoveryTrial extends RegistryTrial {
  private final TestingServer zookeeper = new TestingServer();
  private final CuratorFramework client =
      CuratorFrameworkFactory.newClient(zookeeper.getConnectString(), new RetryNTimes(10, 100));
  private final ServiceDiscovery<Void> discovery =
      ServiceDiscoveryBuilder.builder(Void.class).client(client).basePath("/services").build();
  private final ServiceProvider<Void> services =
      discovery.serviceProviderBuilder().serviceName("orders").build();

  /** Starts all of it. */
  public DiscoveryTrial() throws Exception {
    client.start();
    discovery.start();
    services.start();
    start();
  }

  @Override
  protected Program launch() throws Exception {
    return new Program(
        OrderService.class,
        List.of(zookeeper.getConnectString()),
        "-Dlastcall.propagation-delay=1s");
  }

  @Override
  protected int nextPort() {
    // None until a watch has told of the first.
    return await().until(services::getInstance, Objects::nonNull).getPort();
  }

  Outcome shutDownWithoutRegistry() throws Exception {
    zookeeper.stop();
    return shutDownOnce();
  }

  @Override
  public void close() throws IOException {
    super.close();
    services.close();
    client.close();
    zookeeper.close();
  }
}
