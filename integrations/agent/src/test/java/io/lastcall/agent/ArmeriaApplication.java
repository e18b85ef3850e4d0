package io.lastcall.agent;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Armeria as anybody writes it. */
final class ArmeriaApplication {
  private ArmeriaApplication() {}

  public static void main(String[] args) {
    Server server =
        Server.builder()
            .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .requestTimeoutMillis(0)
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
