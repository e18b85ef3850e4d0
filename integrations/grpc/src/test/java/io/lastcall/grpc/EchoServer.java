package io.lastcall.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.GracefulShutdown;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The echo service in a JVM of its own; with {@code NAIVE=true}, without the library. */
final class EchoServer {
  private EchoServer() {}

  public static void main(String[] args) throws Exception {
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .addService(new Echo(Executors.newSingleThreadScheduledExecutor()));
    Server server =
        Boolean.parseBoolean(System.getenv("NAIVE")) ? serveNaively(builder) : serve(builder);
    System.out.println("ready on port " + server.getPort());
    server.awaitTermination();
  }

  private static Server serve(NettyServerBuilder builder) throws IOException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
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
