package io.lastcall.agent.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.Permit;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that is in flight until its response has ended, maybe on another thread, long after
 * its handler has returned.
 */
final class JdkExchange extends HttpExchange {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final HttpExchange exchange;
  private final Permit permit;
  private @Nullable OutputStream body;

  JdkExchange(HttpExchange exchange, Permit permit) {
    this.exchange = exchange;
    this.permit = permit;
  }

  @Override
  public void sendResponseHeaders(int code, long length) throws IOException {
    exchange.sendResponseHeaders(code, length);
    String type = exchange.getResponseHeaders().getFirst("Content-Type");
    if (length == -1
        || code < 200
        || code == NO_CONTENT
        || code == NOT_MODIFIED
        || getRequestMethod().equals("HEAD")
        // Its client comes back by itself.
        || EndlessResponse.isKnown(getRequestMethod(), code, type, null)) {
      permit.release();
    } else if (getResponseBody() instanceof Body announced) {
      announced.rest = length == 0 ? Long.MAX_VALUE : length;
    }
  }

  @Override
  public synchronized OutputStream getResponseBody() {
    if (body == null) {
      body = new Body(exchange.getResponseBody(), permit);
    }
    return body;
  }

  @Override
  public synchronized void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
    exchange.setStreams(in, out);
    if (out != null) {
      body = out; // around ours, whose end is its end
    }
  }

  @Override
  public void close() {
    try {
      exchange.close();
    } finally {
      permit.release();
    }
  }

  /** The response's body: the response has left once it is closed, flushed whole, or broken. */
  private static final class Body extends FilterOutputStream {
    private final Permit permit;

    /** How much of the announced length is not written; without one it has no end but its close. */
    private volatile long rest = Long.MAX_VALUE;

    Body(OutputStream out, Permit permit) {
      super(out);
      this.permit = permit;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes at a time, as to any stream
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
        rest -= length;
      } catch (IOException broken) {
        permit.release();
        throw broken;
      }
    }

    @Override
    public void flush() throws IOException {
      try {
        out.flush();
      } catch (IOException broken) {
        permit.release();
        throw broken;
      }
      if (rest <= 0) {
        permit.release();
      }
    }

    @Override
    public void close() throws IOException {
      try {
        out.close();
      } finally {
        permit.release();
      }
    }
  }

  @Override
  public Headers getRequestHeaders() {
    return exchange.getRequestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return exchange.getResponseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return exchange.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return exchange.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return exchange.getHttpContext();
  }

  @Override
  public InputStream getRequestBody() {
    return exchange.getRequestBody();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return exchange.getRemoteAddress();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return exchange.getLocalAddress();
  }

  @Override
  public int getResponseCode() {
    return exchange.getResponseCode();
  }

  @Override
  public String getProtocol() {
    return exchange.getProtocol();
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return exchange.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, @Nullable Object value) {
    exchange.setAttribute(name, value);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return exchange.getPrincipal();
  }
}
