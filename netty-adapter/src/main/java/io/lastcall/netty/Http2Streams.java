package io.lastcall.netty;

import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open streams of one connection, by number. Event loop only. */
final class Http2Streams {
  private final IntObjectMap<Http2Exchange> open = new IntObjectHashMap<>();

  /** The one asked for last: a request is often answered before the next one is read. */
  private @Nullable Http2Exchange recent;

  @Nullable Http2Exchange get(int id) {
    Http2Exchange known = recent;
    if (known != null && known.id() == id) {
      return known;
    }
    Http2Exchange found = open.get(id);
    if (found != null) {
      recent = found;
    }
    return found;
  }

  void add(Http2Exchange exchange) {
    open.put(exchange.id(), exchange);
    recent = exchange;
  }

  /** Returns whether it was there. */
  boolean remove(Http2Exchange exchange) {
    if (recent == exchange) {
      recent = null;
    }
    return open.remove(exchange.id()) != null;
  }

  /** Returns whether all responses are out, except those of long-lived streams. */
  boolean areAnswered() {
    for (Http2Exchange exchange : open.values()) {
      if (!exchange.endSent && exchange.stream == null) {
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
    recent = null;
  }
}
