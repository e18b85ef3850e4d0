package io.lastcall.agent;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Armeria as anybody writes it, with a quiet period of its own by a system property. */
final class ArmeriaApplication {
  private static final long QUIET_MILLIS = Long.getLong("quiet", 0);

  private ArmeriaApplication() {}

  public static void main(String[] args) {
    Server server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestTimeoutMillis(0)
            .gracefulShutdownTimeoutMillis(QUIET_MILLIS, 2 * QUIET_MILLIS)
            .serverListener(
                ServerListener.builder()
                    .whenStopping(stopping -> System.out.println("Armeria stops"))
                    .build())
            .serviceUnder(
                "/",
                (ctx, request) ->
                    HttpResponse.of(
                        CompletableFuture.supplyAsync(
                            () -> HttpResponse.of(Rendezvous.answer(ctx.path())),
                            ctx.blockingTaskExecutor())))
            .build();
    server.closeOnJvmShutdown();
    server.start().join();
    System.out.println("ready on port " + server.activeLocalPort());
  }
}
