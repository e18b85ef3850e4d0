package io.lastcall.agent;

import io.undertow.Undertow;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetSocketAddress;

/** Undertow as anybody writes it: a hook of the JVM stops it. */
final class UndertowApplication {
  private UndertowApplication() {}

  public static void main(String[] args) {
    Undertow undertow =
        Undertow.builder()
            .addHttpListener(0, "localhost")
            .setHandler(
                new BlockingHandler(
                    exchange ->
                        exchange
                            .getResponseSender()
                            .send(Rendezvous.answer(exchange.getRequestPath()))))
            .build();
    undertow.start();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  undertow.stop();
                  System.out.println("stopped");
                }));
    InetSocketAddress bound = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    System.out.println("ready on port " + bound.getPort());
  }
}
