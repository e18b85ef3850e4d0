package io.lastcall.netty;

import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import org.jspecify.annotations.Nullable;

/** Tells HTTP/2 frames apart, by class first: see {@link Messages}. */
final class Http2Frames {
  private Http2Frames() {}

  /** Returns the head of a request or a response, or trailers, or null. */
  static @Nullable Http2HeadersFrame headers(Object frame) {
    if (frame instanceof DefaultHttp2HeadersFrame headers) {
      return headers;
    }
    return !(frame instanceof DefaultHttp2DataFrame) && frame instanceof Http2HeadersFrame headers
        ? headers
        : null;
  }

  /** Returns a part of a body, or null. */
  static @Nullable Http2DataFrame data(Object frame) {
    if (frame instanceof DefaultHttp2DataFrame data) {
      return data;
    }
    return !(frame instanceof DefaultHttp2HeadersFrame) && frame instanceof Http2DataFrame data
        ? data
        : null;
  }
}
