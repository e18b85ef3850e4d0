package io.lastcall.examples.rsocket;

import io.lastcall.GracefulShutdown;
import io.rsocket.Payload;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** What a service on RSocket needs to leave without losing a call. */
public final class Quickstart {
  private static final Duration WORK = Duration.ofMillis(200);

  private Quickstart() {}

  /**
   * Starts an application that answers each call after a moment.
   *
   * @param args the port; 0 for a free one
   */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    RSocketDrain drain = new RSocketDrain(shutdown.gate(), shutdown.connections());
    CloseableChannel listener =
        RSocketServer.create(SocketAcceptor.forRequestResponse(Quickstart::answer))
            .interceptors(drain::intercept)
            .bindNow(TcpServerTransport.create("0.0.0.0", Integer.parseInt(args[0])));
    shutdown.server(drain.server("rsocket", listener::dispose));
    shutdown.started();
    System.out.println("listening " + listener.address().getPort() + " " + System.nanoTime());
    listener.onClose().block(); // its threads are daemons
  }

  static Mono<Payload> answer(Payload request) {
    String text = request.getDataUtf8();
    request.release();
    return Mono.delay(WORK).map(late -> DefaultPayload.create("answer to " + text));
  }
}
