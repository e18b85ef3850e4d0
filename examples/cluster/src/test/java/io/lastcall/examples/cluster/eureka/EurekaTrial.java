package io.lastcall.examples.cluster.eureka;

import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.CacheRefreshedEvent;
import com.netflix.discovery.EurekaClient;
import io.lastcall.examples.cluster.Outcome;
import io.lastcall.examples.cluster.RegistryTrial;
import io.lastcall.testing.FreePort;
import io.lastcall.testing.Program;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * With Eureka in the tests' JVM, whose client reads too: each second, and nothing else keeps what
 * it has read.
 */
public final class EurekaTrial extends RegistryTrial {
  private final int port = FreePort.next();
  private final ConfigurableApplicationContext context =
      SpringApplication.run(
          EurekaServer.class,
          "--server.port=" + port,
          "--lastcall.enabled=false",
          "--eureka.client.register-with-eureka=false",
          "--eureka.client.registry-fetch-interval-seconds=1",
          "--eureka.client.service-url.defaultZone=" + url(),
          "--eureka.dashboard.enabled=false",
          "--eureka.server.my-url=" + url(), // else it takes itself for another server
          "--eureka.server.use-read-only-response-cache=false");
  private final EurekaServer server = context.getBean(EurekaServer.class);
  private final EurekaClient client = context.getBean(EurekaClient.class);
  private List<Integer> ports = List.of();
  private int next;

  /** Starts all of it. */
  public EurekaTrial() throws Exception {
    client.registerEventListener(
        event -> {
          if (event instanceof CacheRefreshedEvent) {
            read();
          }
        });
    start();
  }

  private String url() {
    return "http://127.0.0.1:" + port + "/eureka/";
  }

  private synchronized void read() {
    ports =
        client.getInstancesByVipAddress("orders", false).stream()
            .map(InstanceInfo::getPort)
            .toList();
    notifyAll();
  }

  @Override
  protected synchronized int nextPort() throws InterruptedException {
    while (ports.isEmpty()) {
      wait();
    }
    return ports.get(next++ % ports.size());
  }

  /** With the client that a service has: the server's brings another one to the class path. */
  @Override
  protected Program launch() throws IOException {
    return new Program(
        OrderService.class,
        List.of(
            "--server.port=0",
            "--eureka.instance.instance-id=orders:${random.uuid}",
            "--eureka.instance.lease-renewal-interval-in-seconds=1",
            "--eureka.client.jersey.enabled=false",
            "--eureka.client.service-url.defaultZone=" + url()),
        "-Xmx192m",
        "-Dlastcall.propagation-delay=3s",
        "-Dlastcall.grace-period=30s");
  }

  @Override
  protected OptionalLong deregistered(Program service, int port) {
    return server.left(port);
  }

  /** The registry also says whether a service served on, and whether it came back. */
  @Override
  public Outcome shutDown(int number) throws Exception {
    Outcome outcome = super.shutDown(number);
    List<String> wrong = new ArrayList<>(outcome.wrong());
    wrong.addAll(server.wrong());
    return new Outcome(
        wrong,
        outcome.handOverMillis(),
        outcome.pauseMillis(),
        outcome.goneMillis(),
        outcome.exitCode());
  }

  void refuseDeregistrations(int number) {
    server.refuseDeregistrations(number);
  }

  /** In the registry's place something accepts connections, and never answers. */
  Outcome shutDownWithoutRegistry() throws Exception {
    context.close();
    ServerSocket silent = new ServerSocket(port);
    try {
      return shutDownOnce();
    } finally {
      silent.close();
    }
  }

  @Override
  public void close() throws IOException {
    super.close();
    context.close();
  }
}
