package io.lastcall.examples.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.Permit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A {@link JdkExchange} over TLS: applications ask for its session by its class. */
final class JdkTlsExchange extends HttpsExchange {
  private final HttpsExchange exchange;
  private final JdkExchange counted;

  JdkTlsExchange(HttpsExchange exchange, Permit permit, Connections connections) {
    this.exchange = exchange;
    counted = new JdkExchange(exchange, permit, connections);
  }

  @Override
  public SSLSession getSSLSession() {
    return exchange.getSSLSession();
  }

  @Override
  public void sendResponseHeaders(int code, long length) throws IOException {
    counted.sendResponseHeaders(code, length);
  }

  @Override
  public OutputStream getResponseBody() {
    return counted.getResponseBody();
  }

  @Override
  public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
    counted.setStreams(in, out);
  }

  @Override
  public void close() {
    counted.close();
  }

  @Override
  public Headers getRequestHeaders() {
    return counted.getRequestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return counted.getResponseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return counted.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return counted.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return counted.getHttpContext();
  }

  @Override
  public InputStream getRequestBody() {
    return counted.getRequestBody();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return counted.getRemoteAddress();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return counted.getLocalAddress();
  }

  @Override
  public int getResponseCode() {
    return counted.getResponseCode();
  }

  @Override
  public String getProtocol() {
    return counted.getProtocol();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return counted.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    counted.setAttribute(name, value);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return counted.getPrincipal();
  }
}
