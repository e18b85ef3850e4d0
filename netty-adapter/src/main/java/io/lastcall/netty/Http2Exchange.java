package io.lastcall.netty;

import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
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

  /** The write of the response's end. */
  private @Nullable ChannelPromise end;

  /** Of that write we shall be told. */
  private boolean listening;

  private @Nullable Http2FrameStream frameStream;
  private int id;

  Http2Exchange(Http2Connection owner) {
    this.owner = owner;
  }

  /**
   * @param now on the system ticker
   */
  void begin(Http2HeadersFrame headers, long now) {
    stream = null;
    answeredByUs = false;
    bodiless = headers.isEndStream();
    received = bodiless;
    headWritten = false;
    end = null;
    endSent = false;
    closed = false;
    frameStream = headers.stream();
    id = headers.stream().id();
    // CONNECT has no path. Without a method it is malformed, and the application's to refuse.
    CharSequence method = headers.headers().method();
    CharSequence path = headers.headers().path();
    begin(method == null ? "" : method, path == null ? "" : path, now);
  }

  Http2FrameStream frameStream() {
    if (frameStream == null) {
      throw new IllegalStateException("No stream has begun");
    }
    return frameStream;
  }

  int id() {
    return id;
  }

  /**
   * Returns the kind of a response that is not in flight but long-lived: an event stream, or a
   * tunnel (RFC 9113, section 8.5; RFC 8441 for WebSockets). Null for any other, an error included.
   */
  @Nullable String longLivedKind(CharSequence status, Http2Headers response) {
    if (status.charAt(0) != '2') {
      return null;
    }
    if (Answers.isEventStream(response.get(HttpHeaderNames.CONTENT_TYPE))) {
      return "sse";
    }
    return isConnect() ? "tunnel" : null;
  }

  private boolean isConnect() {
    return HttpMethod.CONNECT.name().contentEquals(method());
  }

  /** Returns {@code write}, which is to write the response's end. */
  ChannelPromise ends(ChannelPromise write) {
    end = write;
    if (!bodiless) {
      listenTo(write);
    }
    return write;
  }

  boolean endWritten() {
    return end != null;
  }

  /** Returns whether the response's end has been written and is not out: we shall be told of it. */
  boolean awaitsEnd() {
    if (end != null && !listening && !end.isDone()) {
      listenTo(end);
    }
    return listening;
  }

  private void listenTo(ChannelPromise write) {
    listening = true;
    write.addListener(this);
  }

  /** Whether nothing refers to it any more. A long-lived one may still be told to end. */
  boolean isReusable() {
    return closed && !listening && stream == null;
  }

  @Override
  void forget() {
    super.forget();
    end = null;
    frameStream = null;
  }

  @Override
  void left(boolean success) {
    listening = false;
    endSent = true;
    owner.responseLeft(this);
  }
}
