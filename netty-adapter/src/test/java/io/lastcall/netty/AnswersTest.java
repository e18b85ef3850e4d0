package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import org.junit.jupiter.api.Test;

final class AnswersTest {
  @Test
  void closing_headWithContentAndReadOnlyHeaders_keepsItsBodyAndEndsTheConnection() {
    Harness http = new Harness();
    http.leave();
    http.get("/a");
    http.channel.writeOutbound(new Assembled("hello"));

    assertTrue(http.received().endsWith("\r\n\r\nhello"));
    assertEquals(0, http.inFlight());
    assertFalse(http.channel.isOpen());
    http.channel.finishAndReleaseAll();
  }

  /** Head and content in one, as Vert.x has it, but no FullHttpResponse. */
  private static final class Assembled extends DefaultLastHttpContent implements HttpResponse {
    private final HttpHeaders headers;

    Assembled(String body) {
      super(Unpooled.copiedBuffer(body, UTF_8));
      headers = new ReadOnlyHttpHeaders(false, "content-length", "" + body.length());
    }

    @Override
    public HttpHeaders headers() {
      return headers;
    }

    @Override
    public HttpResponseStatus status() {
      return HttpResponseStatus.OK;
    }

    @Override
    @Deprecated
    public HttpResponseStatus getStatus() {
      throw new UnsupportedOperationException();
    }

    @Override
    public HttpResponse setStatus(HttpResponseStatus status) {
      throw new UnsupportedOperationException();
    }

    @Override
    public HttpVersion protocolVersion() {
      return HttpVersion.HTTP_1_1;
    }

    @Override
    @Deprecated
    public HttpVersion getProtocolVersion() {
      throw new UnsupportedOperationException();
    }

    @Override
    public HttpResponse setProtocolVersion(HttpVersion version) {
      throw new UnsupportedOperationException();
    }
  }
}
