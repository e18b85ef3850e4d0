package io.lastcall.examples.grpc;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.GrpcShutdown;
import java.io.IOException;
import java.util.concurrent.Executors;

/** A gRPC server that leaves without losing a call: what to copy. */
public final class Quickstart {
  private Quickstart() {}

  /** Serves port 8080 until a SIGTERM. */
  public static void main(String[] args) throws IOException, InterruptedException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    NettyServerBuilder builder =
        NettyServerBuilder.forPort(8080)
            .addService(new Echo(Executors.newSingleThreadScheduledExecutor()));
    Server server = GrpcShutdown.of(shutdown).start(builder);

    shutdown.started();
    server.awaitTermination(); // the server's threads are daemons
  }
}
