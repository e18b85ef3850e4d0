package io.lastcall.netty;

import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of one connection, by number, and the objects of closed ones, kept for the next.
 * Event loop only.
 */
final class Http2Streams {
  private final IntObjectMap<Http2Exchange> open = new IntObjectHashMap<>();
  private @Nullable Http2Exchange spares;

  @Nullable Http2Exchange get(Http2FrameStream stream) {
    return get(stream.id());
  }

  @Nullable Http2Exchange get(int id) {
    return open.get(id);
  }

  Http2Exchange open(Http2Connection owner, Http2HeadersFrame headers) {
    Http2Exchange exchange = spares;
    if (exchange == null) {
      exchange = new Http2Exchange(owner);
    } else {
      spares = exchange.nextSpare;
    }
    exchange.begin(headers);
    open.put(headers.stream().id(), exchange);
    return exchange;
  }

  /** Returns whether it was there. */
  boolean remove(Http2Exchange exchange) {
    return open.remove(exchange.frameStream().id()) != null;
  }

  /** Returns whether no response is owed, long-lived ones aside. */
  boolean areAnswered() {
    for (Http2Exchange exchange : open.values()) {
      if (!exchange.endSent && !exchange.answeredByUs && exchange.stream == null) {
        return false;
      }
    }
    return true;
  }

  int count() {
    return open.size();
  }

  /** Returns a copy: what is done to a stream may close it. */
  List<Http2Exchange> open() {
    return List.copyOf(open.values());
  }

  void clear() {
    open.clear();
  }

  /** Keeps {@code exchange} if nothing refers to it any more. */
  void recycle(Http2Exchange exchange) {
    if (exchange.isReusable()) {
      exchange.nextSpare = spares;
      spares = exchange;
    }
  }
}
