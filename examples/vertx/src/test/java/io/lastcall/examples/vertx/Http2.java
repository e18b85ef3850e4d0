package io.lastcall.examples.vertx;

import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;

/** HTTP/2 without TLS, with prior knowledge. */
final class Http2 {
  private Http2() {}

  static HttpClientOptions client() {
    return new HttpClientOptions()
        .setProtocolVersion(HttpVersion.HTTP_2)
        .setHttp2ClearTextUpgrade(false);
  }
}
