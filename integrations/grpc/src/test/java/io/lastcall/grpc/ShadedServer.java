package io.lastcall.grpc;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The echo service on {@code grpc-netty-shaded}; with {@code NAIVE=true}, without the library. */
final class ShadedServer {
  private ShadedServer() {}

  public static void main(String[] args) throws Exception {
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .addService(new Echo(Executors.newSingleThreadScheduledExecutor()));
    Server server;
    if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
      server = builder.build().start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(server)));
    } else {
      GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
      server = CoarseGrpc.of(shutdown).start(builder);
      shutdown.started();
    }
    System.out.println("ready on port " + server.getPort());
    server.awaitTermination();
  }

  /** What grpc-java's own examples do in a hook of the JVM. */
  private static void shutDown(Server server) {
    try {
      server.shutdown().awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      server.shutdownNow();
    }
  }
}
