package io.lastcall.examples.rsocket;

import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;

/** {@link Quickstart} as it is written without the library: a hook closes the listener. */
final class WithoutTheLibrary {
  private WithoutTheLibrary() {}

  public static void main(String[] args) {
    CloseableChannel listener =
        RSocketServer.create(SocketAcceptor.forRequestResponse(Quickstart::answer))
            .bindNow(TcpServerTransport.create("0.0.0.0", Integer.parseInt(args[0])));
    Runtime.getRuntime().addShutdownHook(new Thread(listener::dispose));
    System.out.println("listening " + listener.address().getPort() + " " + System.nanoTime());
    listener.onClose().block();
  }
}
