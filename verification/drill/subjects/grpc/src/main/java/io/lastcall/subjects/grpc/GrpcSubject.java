package io.lastcall.subjects.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.GrpcShutdown;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quick start as the subject of black-box tests. Environment: {@code PORT}; {@code PROBE_PORT},
 * where set, serves the probes by HTTP on a port of their own; {@code NAIVE=true} runs the same
 * service without the library; {@code LASTCALL_*}, the library's settings.
 */
public final class GrpcSubject {
  private static final Logger log = LoggerFactory.getLogger(GrpcSubject.class);

  private GrpcSubject() {}

  /** Runs until the server has ended. The timer keeps the process up: a failed start ends it. */
  public static void main(String[] args) throws InterruptedException {
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", "8080"));
    String probePort = env.getOrDefault("PROBE_PORT", "off");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    NettyServerBuilder builder = NettyServerBuilder.forPort(port).addService(new Echo(timer));
    try {
      Server server =
          Boolean.parseBoolean(env.get("NAIVE"))
              ? serveNaively(builder)
              : serve(builder, probePort);
      log.info("ready on port {}", server.getPort());
      server.awaitTermination();
    } catch (IOException | RuntimeException | Error e) {
      log.error("not started", e);
      System.exit(1);
    }
  }

  private static Server serve(NettyServerBuilder builder, String probePort) throws IOException {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration("probe-port", probePort, "environment PROBE_PORT")
            .install();
    Server server = GrpcShutdown.of(shutdown).start(builder);
    shutdown.started();
    return server;
  }

  /** What grpc-java's own examples do: {@code shutdown()} in a hook of the JVM. */
  private static Server serveNaively(NettyServerBuilder builder) throws IOException {
    Server server = builder.addService(new HealthStatusManager().getHealthService()).build();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.shutdown().awaitTermination(30, TimeUnit.SECONDS);
                  } catch (InterruptedException e) {
                    server.shutdownNow();
                  }
                }));
    return server.start();
  }
}
