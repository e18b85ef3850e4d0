package io.lastcall.servlet.jetty;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request on a connection that may be drained. Its stream is wrapped once there is something to
 * see there: from the beginning where it may be an upgrade, else when the filter has something to
 * tell of it. Most requests have no wrapper.
 */
final class DrainingRequest extends Request.Wrapper {
  private static final String ATTRIBUTE = DrainingRequest.class.getName();

  private final DrainingEndPoint endPoint;
  private @Nullable DrainingStream stream;

  private DrainingRequest(Request request, DrainingEndPoint endPoint) {
    super(request);
    this.endPoint = endPoint;
  }

  /** Has a connection factory make its requests such, once. */
  static void install(HttpConfiguration configuration) {
    if (configuration.getCustomizer(Customizer.class) == null) {
      configuration.addCustomizer(new Customizer());
    }
  }

  private static final class Customizer implements HttpConfiguration.Customizer {
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
      Connection connection = request.getConnectionMetaData().getConnection();
      DrainingEndPoint endPoint = DrainingEndPoint.of(connection.getEndPoint());
      if (endPoint == null || !endPoint.connector().isServed()) {
        return request;
      }
      endPoint.requested();
      DrainingRequest draining = new DrainingRequest(request, endPoint);
      if (request.getHeaders().contains(HttpHeader.UPGRADE)) {
        draining.wrapStream();
      }
      return draining;
    }
  }

  /** Returns the one below a servlet's request; null if that came by another connector. */
  static @Nullable DrainingRequest of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof DrainingRequest draining ? draining : null;
  }

  long acceptTime() {
    return endPoint.acceptTime();
  }

  /** Itself, without the map that an attribute would cost each request. */
  @Override
  public @Nullable Object getAttribute(String name) {
    return name.equals(ATTRIBUTE) ? this : super.getAttribute(name);
  }

  /** Returns the wrapper; null if the request has ended without one. */
  synchronized @Nullable DrainingStream wrapStream() {
    if (stream == null) {
      try {
        addHttpStreamWrapper(
            wrapped -> {
              DrainingStream wrapper = new DrainingStream(wrapped, getWrapped(), endPoint);
              stream = wrapper;
              return wrapper;
            });
      } catch (IllegalStateException over) {
        // The notification comes too late.
      }
    }
    return stream;
  }

  /** A {@link DrainingRequest} and its response, where Jetty says how they end. */
  static final class DrainingStream extends HttpStream.Wrapper {
    /** Where a WebSocket endpoint is being opened on this thread. */
    private static final ThreadLocal<DrainingEndPoint> UPGRADING = new ThreadLocal<>();

    private final Request request;
    private final DrainingEndPoint endPoint;
    private volatile boolean longLived;

    /** Set before a look at the one above, whose writer looks at it: one sees the other. */
    private volatile boolean over;

    /** Ends what the filter knows of an asynchronous request; null for any other. */
    private volatile @Nullable Runnable async;

    DrainingStream(HttpStream wrapped, Request request, DrainingEndPoint endPoint) {
      super(wrapped);
      this.request = request;
      this.endPoint = endPoint;
    }

    /** The request has become a stream, maybe on a thread of the application. */
    void becomeLongLived() {
      if (mark(true)) {
        endPoint.streamBegan(getId());
        if (over) {
          endPoint.streamEnded(getId());
        }
      }
    }

    /** The request has become asynchronous; {@code end} ends what the filter knows of it. */
    void async(Runnable end) {
      async = end;
    }

    private synchronized boolean mark(boolean on) {
      boolean changed = longLived != on;
      longLived = on;
      return changed;
    }

    /** Returns the connection that this thread upgrades. */
    static WebSocketSessions.Connection currentConnection() {
      @Nullable DrainingEndPoint current = UPGRADING.get();
      if (current == null) {
        throw new IllegalStateException("No connection is being upgraded on this thread");
      }
      return current;
    }

    @Override
    public void succeeded() {
      over();
      if (request.getAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE) instanceof Connection) {
        upgrade();
      } else {
        super.succeeded();
      }
    }

    private void upgrade() {
      UPGRADING.set(endPoint);
      try {
        // With the first callback of a WebSocket in it.
        super.succeeded();
      } finally {
        UPGRADING.remove();
        endPoint.opened();
      }
    }

    /** After its head Jetty fails an asynchronous request without a word to its listeners. */
    @Override
    public void failed(Throwable failure) {
      over();
      Runnable end = async;
      if (end != null) {
        end.run();
      }
      super.failed(failure);
    }

    /** In front of the connection's next request, which must not pass for long-lived. */
    private void over() {
      over = true;
      if (longLived && mark(false)) {
        endPoint.streamEnded(getId());
      }
    }
  }
}
