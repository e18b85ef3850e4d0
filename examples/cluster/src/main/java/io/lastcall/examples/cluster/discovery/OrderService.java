package io.lastcall.examples.cluster.discovery;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.examples.cluster.Moments;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.curator.x.discovery.ServiceDiscovery;
import org.apache.curator.x.discovery.ServiceDiscoveryBuilder;
import org.apache.curator.x.discovery.ServiceInstance;

/**
 * A service that others find in ZooKeeper. It leaves the registry at the trigger, and serves on
 * while its readers learn of that.
 */
public final class OrderService {
  /** How long deregistering may take, with all tries. */
  private static final Duration DEREGISTERING = Duration.ofSeconds(3);

  /** How long a reader may use what it has read: ZooKeeper tells it at once. */
  private static final Duration READERS = Duration.ofSeconds(2);

  private static final int TRIES = 20;

  private OrderService() {}

  /** The only argument is ZooKeeper's address. */
  public static void main(String[] args) throws Exception {
    // Refused where the grace period has no room for it.
    GracefulShutdown shutdown =
        GracefulShutdown.builder().propagationDelay(DEREGISTERING.plus(READERS)).install();
    int port = serve(shutdown);

    CuratorFramework zookeeper =
        CuratorFrameworkFactory.newClient(
            args[0], new BoundedExponentialBackoffRetry(50, 500, TRIES));
    shutdown.step(Step.closing(Phase.CLOSE_CONNECTIONS, "zookeeper", zookeeper));
    zookeeper.start();
    ServiceDiscovery<Void> registry =
        ServiceDiscoveryBuilder.builder(Void.class).client(zookeeper).basePath("/services").build();
    registry.start();
    ServiceInstance<Void> instance =
        ServiceInstance.<Void>builder().name("orders").address("127.0.0.1").port(port).build();
    // Before the steps of order 0. The client tries again by itself.
    shutdown.step(
        Step.of(Phase.KEEP_SERVING, "registry", context -> leave(registry, instance))
            .withOrder(-1)
            .withTimeout(DEREGISTERING));
    registry.registerService(instance);
    Moments.print("registered", Integer.toString(port));
  }

  private static void leave(ServiceDiscovery<Void> registry, ServiceInstance<Void> instance)
      throws Exception {
    registry.unregisterService(instance);
    Moments.print("deregistered", instance.getPort().toString());
  }

  private static int serve(GracefulShutdown shutdown) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    ExecutorService threads = Executors.newCachedThreadPool();
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(shutdown.gate(), exchange));
    shutdown.server(
        DrainableServer.of("orders", deadline -> server.stop(0), deadline -> threads.shutdown()));
    server.start();
    return server.getAddress().getPort();
  }

  private static void answer(RequestGate gate, HttpExchange exchange) throws IOException {
    Permit permit = new Permit() {};
    try (exchange) {
      boolean admitted = gate.enter(permit);
      if (!admitted) {
        RequestGate.refusalHeaders(false).forEach(exchange.getResponseHeaders()::set);
      } else if (gate.shouldCloseConnection()) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      exchange.sendResponseHeaders(admitted ? 204 : RequestGate.REFUSED_STATUS, -1);
    } finally {
      permit.release();
    }
  }
}
