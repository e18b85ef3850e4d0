package io.lastcall.netty;

import io.lastcall.connection.EndlessResponse;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2Headers;
import org.jspecify.annotations.Nullable;

/**
 * One stream: its permit, and the listener of its last write. Used again for another stream once
 * this one is closed and that write is done. Event loop only, but for what the report reads.
 */
final class Http2Exchange extends RequestPermit {
  private final Http2Connection owner;

  /** Not null once the response turned out to be long-lived. */
  @Nullable LongLived stream;

  /** Whether the adapter answers: what is still read is not for the application. */
  boolean answeredByUs;

  /** The request ended with its headers. */
  boolean bodiless;

  /** The end of the request has been read. */
  boolean received;

  /** The response's head has been written. */
  boolean headWritten;

  /** A listener has said that the end of the response is out. */
  boolean endSent;

  boolean closed;

  /** Some of the response's body has been written. */
  boolean bodyBegun;

  /** The response's end has been written; it may still be on its way out. */
  boolean endWritten;

  /** That write has our listener. */
  private boolean listening;

  private int id;

  Http2Exchange(Http2Connection owner) {
    this.owner = owner;
  }

  /**
   * @param end whether the request ends with its headers
   * @param now on the system ticker
   */
  void begin(int newId, Http2Headers headers, boolean end, long now) {
    stream = null;
    answeredByUs = false;
    bodiless = end;
    received = end;
    headWritten = false;
    bodyBegun = false;
    endWritten = false;
    endSent = false;
    closed = false;
    id = newId;
    // CONNECT has no path. Without a method it is malformed, and the application's to refuse.
    CharSequence method = headers.method();
    CharSequence path = headers.path();
    begin(method == null ? "" : method, path == null ? "" : path, now);
  }

  int id() {
    return id;
  }

  /**
   * Returns the kind of a response that is not in flight but long-lived: one without an end, or a
   * tunnel (RFC 9113, section 8.5; RFC 8441 for WebSockets). Null for any other, an error included.
   * Takes the application's mark off it.
   */
  @Nullable String longLivedKind(CharSequence status, Http2Headers response) {
    boolean success = status.charAt(0) == '2';
    CharSequence mark = response.getAndRemove(EndlessResponse.HEADER);
    CharSequence type = response.get(HttpHeaderNames.CONTENT_TYPE);
    if (EndlessResponse.isKnown(method(), success ? 200 : 0, type, mark)) {
      return ResponseHeads.kind(type);
    }
    return success && isConnect() ? "tunnel" : null;
  }

  /**
   * Returns {@code write}, the promise for the response's end. It gets a listener only where Netty
   * does not close the stream when the end is out. The promise is not kept: storing a new object in
   * an old one costs G1's barrier.
   */
  ChannelPromise ends(ChannelPromise write) {
    endWritten = true;
    if (!bodiless || bodyBegun) {
      listening = true;
      write.addListener(this);
    }
    return write;
  }

  /** Whether the response's end has been written and our listener has not been called yet. */
  boolean awaitsEnd() {
    return listening;
  }

  /** Whether nothing refers to it any more, as the registration of a long-lived stream does. */
  boolean isReusable() {
    return closed && !listening && stream == null;
  }

  @Override
  void left(boolean success) {
    listening = false;
    endSent = true;
    owner.responseLeft(this);
  }
}
