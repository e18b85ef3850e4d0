package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawHttp2Client;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.protocol.http2.Http2ReceiveListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/** Why {@link DrainingHttp2Channel} does not use Undertow's GOAWAY; if this fails, it can. */
@Timeout(30)
class UndertowGoawayTest {
  private final BlockingQueue<Http2Channel> serving = new LinkedBlockingQueue<>();

  @Test
  void sendGoAway_streamActive_cutsIt() throws Exception {
    XnioWorker worker = Xnio.getInstance().createWorker(OptionMap.EMPTY);
    try {
      AcceptingChannel<StreamConnection> listener =
          worker.createStreamConnectionServer(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
              this::open,
              OptionMap.EMPTY);
      listener.resumeAccepts();
      int port = listener.getLocalAddress(InetSocketAddress.class).getPort();
      try (RawHttp2Client client = new RawHttp2Client(port)) {
        client.get(1, "/");
        Http2Channel channel = serving.take();
        channel.sendGoAway(Http2Channel.ERROR_NO_ERROR);
        assertEquals(1, client.await(RawHttp2Client.GOAWAY).lastStream(), "the stream is good");
        assertTrue(client.ended(), "and never answered");
      }
    } finally {
      worker.shutdownNow();
    }
  }

  private void open(AcceptingChannel<StreamConnection> listener) {
    try {
      Http2Channel channel =
          new Http2Channel(
              listener.accept(),
              null,
              new DefaultByteBufferPool(false, 16_384),
              null,
              false,
              false,
              OptionMap.EMPTY);
      // A dispatch that does nothing: the exchange runs on.
      channel
          .getReceiveSetter()
          .set(
              new Http2ReceiveListener(
                  exchange -> exchange.dispatch(() -> serving.add(channel)),
                  OptionMap.EMPTY,
                  16_384,
                  null));
      channel.resumeReceives();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
