package io.lastcall.netty;

import io.lastcall.time.Ticker;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response: its permit, its place in the connection's pipeline, and the
 * listener of its last write, all in one object, so that a request allocates nothing else. Used
 * again for the connection's next request once that last write is done. Only the event loop touches
 * it, but for what the report reads.
 */
final class Exchange extends RequestPermit {
  private final Http1Connection owner;

  /** The exchange of the next request on the connection. */
  @Nullable Exchange next;

  /** Whether the adapter answers: a probe, a refusal. */
  boolean answeredByUs;

  /** That answer, once it is known and until it is written. */
  @Nullable FullHttpResponse ownAnswer;

  /** Not null once the response turned out to be an event stream. */
  @Nullable LongLived stream;

  /** The protocol after this response, such as {@code websocket}; null if it stays HTTP. */
  @Nullable String upgrade;

  /** An interim response's head has been written, and its (empty) end has not. */
  boolean interim;

  /** Whether the response has begun. */
  boolean headWritten;

  /** Whether this response is the last of its connection. */
  boolean closes;

  Exchange(Http1Connection owner) {
    this.owner = owner;
  }

  void begin(HttpRequest request) {
    next = null;
    answeredByUs = false;
    ownAnswer = null;
    stream = null;
    upgrade = null;
    interim = false;
    headWritten = false;
    closes = false;
    begin(request.method().name(), request.uri(), Ticker.system().read());
  }

  /** Whether the connection stays open for HTTP requests after this response. */
  boolean isPlain() {
    return !closes && upgrade == null && stream == null;
  }

  /** Whether the application has still to write the response, all of it. */
  boolean isUnanswered() {
    return !headWritten && !interim && !answeredByUs;
  }

  /** Whether {@code message} is a late part of the previous response, an event stream we ended. */
  boolean isOfPreviousResponse(Object message) {
    return isUnanswered() && Messages.response(message) == null && message instanceof HttpContent;
  }

  /** The response will not be written. */
  void abandon() {
    release();
    if (ownAnswer != null) {
      ownAnswer.release();
    }
    if (stream != null) {
      stream.ended();
    }
  }

  @Override
  void left(boolean success) {
    owner.responseLeft(this, success);
  }
}
