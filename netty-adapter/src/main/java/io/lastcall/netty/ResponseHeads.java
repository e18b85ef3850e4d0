package io.lastcall.netty;

import io.lastcall.connection.EndlessResponse;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import org.jspecify.annotations.Nullable;

/** The heads of the application's responses: what they say, and what the adapter has them say. */
final class ResponseHeads {
  private ResponseHeads() {}

  /**
   * Returns {@code response} with {@code Connection: close}. The header is set in the application's
   * own object, as Netty's {@code HttpServerKeepAliveHandler} does: one response for several
   * connections must be a copy. Where its headers are read-only this makes a copy; but not of a
   * head with content that is no {@code FullHttpResponse} (Vert.x has such): that one is returned
   * as it is, and its client learns of the end by the end.
   */
  static HttpResponse closing(HttpResponse response) {
    try {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      return response;
    } catch (UnsupportedOperationException readOnly) {
      if (response instanceof HttpContent && !(response instanceof FullHttpResponse)) {
        return response;
      }
      HttpHeaders headers = new DefaultHttpHeaders().add(response.headers());
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      return response instanceof FullHttpResponse full
          ? new DefaultFullHttpResponse(
              full.protocolVersion(),
              full.status(),
              full.content(),
              headers,
              full.trailingHeaders())
          : new DefaultHttpResponse(response.protocolVersion(), response.status(), headers);
    }
  }

  /** RFC 9110, section 15.2: any number of them, before the response. 101 is the response. */
  static boolean isInterim(HttpResponse response) {
    HttpResponseStatus status = response.status();
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
  }

  /**
   * Returns the kind of a response that streams without end, and takes the application's mark off
   * it; null if it ends by itself.
   *
   * @param method of its request
   */
  static @Nullable String longLivedKind(CharSequence method, HttpResponse response) {
    HttpHeaders headers = response.headers();
    String mark = headers.get(EndlessResponse.HEADER);
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    boolean endless = EndlessResponse.isKnown(method, response.status().code(), type, mark);
    if (mark != null) {
      takeOff(headers);
    }
    return endless ? kind(type) : null;
  }

  /** A client may see it where the headers are read-only: it means nothing to others. */
  private static void takeOff(HttpHeaders headers) {
    try {
      headers.remove(EndlessResponse.HEADER);
    } catch (UnsupportedOperationException readOnly) {
      // It stays.
    }
  }

  /** Returns the kind of a long-lived response by its Content-Type, for counts and reports. */
  static String kind(@Nullable CharSequence type) {
    return EndlessResponse.isEventStream(type) ? "sse" : "stream";
  }
}
