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

  /** The exchange behind this one in the pipeline. */
  @Nullable Exchange next;

  /** Whether the adapter answers: a probe, a refusal. */
  boolean answeredByUs;

  /** That answer, once it is known and until it is written. */
  @Nullable FullHttpResponse ownAnswer;

  /** Not null once the response turned out to be an event stream. */
  @Nullable LongLived stream;

  /** What the connection becomes behind the response, such as {@code websocket}. */
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

  /** Whether the connection goes on behind the response as it went before. */
  boolean isPlain() {
    return !closes && upgrade == null && stream == null;
  }

  /** Whether nothing of a response is written, and it is the application's to write. */
  boolean isUnanswered() {
    return !headWritten && !interim && !answeredByUs;
  }

  /** Whether {@code message} is of the response before: an event stream, ended for its writer. */
  boolean isOfOneBefore(Object message) {
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
