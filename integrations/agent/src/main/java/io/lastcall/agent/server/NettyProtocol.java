package io.lastcall.agent.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds out by the first connection that tells whether a listener speaks HTTP: once a connection
 * has sent its first bytes, behind TLS if there is any, the adapter's handler is behind the codec,
 * or there is none. Bytes that may begin HTTP/2 or a PROXY header do not tell, nor does a
 * connection that sends nothing. The listener's event loop, and each connection's.
 */
final class NettyProtocol extends ChannelInboundHandlerAdapter {
  /** What the adapter calls its handler. */
  private static final String PLACED = "lastcall";

  /** RFC 9113, section 3.4. */
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** PROXY protocol, sections 2.1 and 2.2. */
  private static final List<String> PROXIES = List.of("PROXY ", "\r\n\r\n\0\r\nQUIT\n");

  /** The longest PROXY header, with one byte behind it. */
  private static final int ENOUGH = 537;

  private final Channel listener;
  private final Runnable notHttp;
  private final AtomicReference<Speaks> speaks = new AtomicReference<>(Speaks.UNKNOWN);

  private enum Speaks {
    UNKNOWN,
    HTTP,
    OTHER
  }

  /**
   * Sees connections as soon as it is {@linkplain #follow added}.
   *
   * @param listener with the adapter's handlers
   * @param notHttp called if it is none, at most once, when nothing of ours is in the way any more
   */
  NettyProtocol(Channel listener, Runnable notHttp) {
    this.listener = listener;
    this.notHttp = notHttp;
  }

  void follow() {
    listener.pipeline().addFirst(this);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof Channel connection) {
      // Behind the adapter's own, which comes next.
      connection.pipeline().addFirst(new First());
    }
    ctx.fireChannelRead(message);
  }

  private final class First extends ChannelInboundHandlerAdapter {
    private final StringBuilder begun = new StringBuilder();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof ByteBuf bytes && !isPlaced(ctx)) {
        int more = Math.min(bytes.readableBytes(), ENOUGH - begun.length());
        begun.append(bytes.toString(bytes.readerIndex(), more, ISO_8859_1));
      }
      ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.fireChannelReadComplete();
      if (ctx.isRemoved()) {
        return;
      }
      if (isPlaced(ctx)) {
        speaks.compareAndSet(Speaks.UNKNOWN, Speaks.HTTP);
        ctx.pipeline().remove(this);
      } else if (!begun.isEmpty() && !goesBehindTls(ctx) && !mayBegin()) {
        ctx.pipeline().remove(this);
        withoutCodec();
      }
    }

    private static boolean isPlaced(ChannelHandlerContext ctx) {
      return ctx.pipeline().get(PLACED) != null;
    }

    /** HTTP/2 is HTTP, also where no codec that the adapter knows reads it, as in Vert.x. */
    private void withoutCodec() {
      boolean isHttp2 = begun.length() > PREFACE.length() && begun.indexOf(PREFACE) == 0;
      if (speaks.compareAndSet(Speaks.UNKNOWN, isHttp2 ? Speaks.HTTP : Speaks.OTHER) && !isHttp2) {
        listener.eventLoop().execute(NettyProtocol.this::leave);
      }
    }

    /** By the time of its first record at the latest: a client's hello has no data with it. */
    private boolean goesBehindTls(ChannelHandlerContext ctx) {
      boolean behind = false;
      for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
        if (behind && entry.getValue() instanceof SslHandler) {
          ctx.pipeline().addAfter(entry.getKey(), null, new First());
          ctx.pipeline().remove(this);
          return true;
        }
        // It is replaced by an SslHandler after the client's hello.
        if (behind && entry.getValue() instanceof AbstractSniHandler) {
          return true;
        }
        behind |= entry.getValue() == this;
      }
      return false;
    }

    /** Returns whether a codec may still follow. */
    private boolean mayBegin() {
      String text = begun.toString();
      return PREFACE.startsWith(text)
          || (text.length() < ENOUGH
              && PROXIES.stream()
                  .anyMatch(proxy -> proxy.startsWith(text) || text.startsWith(proxy)));
    }
  }

  private void leave() {
    removeOurs(listener);
    notHttp.run();
  }

  private static void removeOurs(Channel listener) {
    List<ChannelHandler> ours = new ArrayList<>();
    for (Map.Entry<String, ChannelHandler> entry : listener.pipeline()) {
      if (entry.getValue().getClass().getClassLoader() == NettyProtocol.class.getClassLoader()) {
        ours.add(entry.getValue());
      }
    }
    ours.forEach(listener.pipeline()::remove);
  }
}
