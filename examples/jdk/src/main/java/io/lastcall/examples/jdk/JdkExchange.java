package io.lastcall.examples.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.Permit;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An exchange that is in flight until its response has ended, maybe on another thread, long after
 * its handler has returned. An event stream in answer to GET is long-lived, and ended.
 */
final class JdkExchange extends HttpExchange {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final HttpExchange exchange;
  private final Permit permit;
  private final Connections connections;
  private @Nullable OutputStream body;
  private volatile @Nullable Registration stream;

  JdkExchange(HttpExchange exchange, Permit permit, Connections connections) {
    this.exchange = exchange;
    this.permit = permit;
    this.connections = connections;
  }

  @Override
  public void sendResponseHeaders(int code, long length) throws IOException {
    exchange.sendResponseHeaders(code, length);
    String type = exchange.getResponseHeaders().getFirst("Content-Type");
    if (length == -1
        || code < 200
        || code == NO_CONTENT
        || code == NOT_MODIFIED
        || getRequestMethod().equals("HEAD")) {
      permit.release();
    } else if (getResponseBody() instanceof Body announced) {
      announced.rest = length == 0 ? Long.MAX_VALUE : length;
      if (EndlessResponse.isKnown(getRequestMethod(), code, type, null)) {
        // Registers before it releases: at no time does the shutdown know nothing of it.
        stream = connections.register(new EventStream(announced));
        permit.release();
      }
    }
  }

  /** The response has ended. */
  private void left() {
    permit.release();
    Registration registered = stream;
    if (registered != null) {
      registered.closed();
    }
  }

  @Override
  public synchronized OutputStream getResponseBody() {
    if (body == null) {
      body = new Body(exchange.getResponseBody(), this::left);
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
      left();
    }
  }

  private record EventStream(Body body) implements LongLivedConnection {
    @Override
    public String kind() {
      return "sse";
    }

    @Override
    public void close() {
      body.end();
    }
  }

  /** The response's body: the response has left once it is closed, flushed whole, or broken. */
  private static final class Body extends FilterOutputStream {
    private final Runnable left;

    /** Held by the thread that writes: a chunk is not to end within another. */
    private final ReentrantLock writing = new ReentrantLock();

    private volatile boolean ending;

    /** How much of the announced length is not written; without one it has no end but its close. */
    private volatile long rest = Long.MAX_VALUE;

    Body(OutputStream out, Runnable left) {
      super(out);
      this.left = left;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes at a time, as to any stream
    public void write(byte[] bytes, int from, int length) throws IOException {
      locked(() -> out.write(bytes, from, length));
      rest -= length;
    }

    @Override
    public void flush() throws IOException {
      locked(out::flush);
      if (rest <= 0) {
        left.run();
      }
    }

    @Override
    public void close() throws IOException {
      try {
        locked(out::close);
      } finally {
        left.run();
      }
    }

    private void locked(Write write) throws IOException {
      writing.lock();
      try {
        write.run();
      } catch (IOException broken) {
        left.run();
        throw broken;
      } finally {
        writing.unlock();
      }
      if (ending) {
        end();
      }
    }

    /** Ends it for its client, at once or after the write that is going on; never blocks. */
    void end() {
      ending = true;
      if (writing.tryLock()) {
        try {
          out.close();
        } catch (IOException broken) {
          // Its client has gone.
        } finally {
          writing.unlock();
          left.run();
        }
      }
    }
  }

  private interface Write {
    void run() throws IOException;
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
