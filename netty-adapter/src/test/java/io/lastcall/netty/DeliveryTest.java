package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application that answers from within {@code channelRead}. */
final class DeliveryTest {
  private final Answering application = new Answering();
  private final Harness http = new Harness(application);

  @AfterEach
  void close() {
    http.channel.finishAndReleaseAll();
    assertEquals(0, http.inFlight());
    assertEquals(http.control.started(), http.control.finished());
  }

  @Test
  void answered_releases_andTheNextIsCounted() {
    application.behindWrite = http.channel::flush;
    http.get("/a");
    assertEquals(0, http.inFlight());

    application.behindWrite = () -> {};
    http.get("/b");
    assertEquals(1, http.inFlight());
    assertEquals("GET /b", http.control.running().get(0).description());
  }

  @Test
  void notFlushed_isInFlightUntilItIs() {
    http.get("/a");
    assertEquals(1, http.inFlight());

    http.channel.flush();
    assertEquals(0, http.inFlight());
  }

  @Test
  void pipelined_flushedTogether_areInFlightUntilThen() {
    http.get("/a", "/b", "/c");
    assertEquals(3, http.inFlight());

    http.channel.flush();
    assertEquals(0, http.inFlight());
    assertEquals(3, http.control.finished());
  }

  @Test
  void shutdownBeginsBehindTheAnswer_connectionEndsBehindTheNext() {
    application.behindWrite =
        () -> {
          http.channel.flush();
          http.leave();
        };
    http.get("/a");
    assertEquals(0, http.inFlight());
    assertTrue(http.channel.isOpen());
    assertFalse(http.received().contains("connection: close"));

    application.behindWrite = http.channel::flush;
    http.get("/b");
    assertTrue(http.received().contains("connection: close"));
    assertEquals(0, http.inFlight());
  }

  @Test
  void closedBehindTheWrite_releases() {
    application.behindWrite = http.channel::close;
    http.get("/a");

    assertEquals(1, http.control.finished());
  }

  @Test
  void fails_releasesWhatIsOut() {
    application.behindWrite =
        () -> {
          http.channel.flush();
          throw new IllegalStateException("as a test");
        };
    http.get("/a");

    assertEquals(1, http.control.finished());
  }

  private static final class Answering extends ChannelInboundHandlerAdapter {
    private Runnable behindWrite = () -> {};

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest) {
        ctx.write(Harness.ok("x"));
        behindWrite.run();
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      assertEquals("as a test", cause.getMessage());
    }
  }
}
