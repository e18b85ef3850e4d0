package io.lastcall.servlet.jetty;

import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.websocket.Upgrading;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A request on a connection that may be drained. Its stream is wrapped once there is something to
 * see there: in the beginning while the server leaves, or where it may be an upgrade; else when the
 * filter has something to tell of it. A request that comes and goes before has no wrapper.
 */
final class DrainingRequest extends Request.Wrapper {
  private static final String ATTRIBUTE = DrainingRequest.class.getName();

  private final DrainingEndPoint endPoint;
  private final boolean http1;
  private @Nullable DrainingStream stream;

  private DrainingRequest(Request request, DrainingEndPoint endPoint, boolean http1) {
    super(request);
    this.endPoint = endPoint;
    this.http1 = http1;
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
      ConnectionMetaData connection = request.getConnectionMetaData();
      DrainingEndPoint endPoint = DrainingEndPoint.of(connection.getConnection().getEndPoint());
      if (endPoint == null || !endPoint.connector().isServed()) {
        return request;
      }
      endPoint.requested();
      boolean http1 = connection.getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion();
      DrainingRequest draining = new DrainingRequest(request, endPoint, http1);
      if (endPoint.connector().gate().mayCloseConnections() || (http1 && mayUpgrade(request))) {
        draining.wrapStream();
      }
      return draining;
    }

    private static boolean mayUpgrade(Request request) {
      return request.getHeaders().contains(HttpHeader.UPGRADE)
          || HttpMethod.CONNECT.is(request.getMethod());
    }
  }

  /** Returns the one below a servlet's request; null if that came by another connector. */
  static @Nullable DrainingRequest of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof DrainingRequest draining ? draining : null;
  }

  AcceptedConnection accepted() {
    return endPoint.accepted();
  }

  /** Returns whether its connection carries one request at a time. */
  boolean probed() {
    if (http1) {
      endPoint.probed();
    }
    return http1;
  }

  boolean isClientGone() {
    return endPoint.isClientGone();
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
              DrainingStream wrapper = new DrainingStream(wrapped, getWrapped(), endPoint, http1);
              stream = wrapper;
              return wrapper;
            });
      } catch (IllegalStateException over) {
        // The notification comes too late.
      }
    }
    return stream;
  }

  /**
   * A {@link DrainingRequest} and its response below the servlet container, where Jetty says that a
   * head is about to be written, whoever wrote it: error pages, probes and other applications
   * included.
   */
  static final class DrainingStream extends HttpStream.Wrapper {
    private final Request request;
    private final DrainingEndPoint endPoint;
    private final boolean http1;
    private volatile boolean longLived;

    /** Set before a look at the one above, whose writer looks at it: one sees the other. */
    private volatile boolean over;

    /** Ends what the filter knows of an asynchronous request; null for any other. */
    private volatile @Nullable Runnable async;

    DrainingStream(HttpStream wrapped, Request request, DrainingEndPoint endPoint, boolean http1) {
      super(wrapped);
      this.request = request;
      this.endPoint = endPoint;
      this.http1 = http1;
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

    /** RFC 9112, section 9.6; HTTP/2 forbids the header (RFC 9113, section 8.2.2). */
    @Override
    public void prepareResponse(HttpFields.Mutable headers) {
      super.prepareResponse(headers);
      if (http1
          && gate().shouldCloseConnection(requestId())
          && !headers.contains(HttpHeader.UPGRADE)) {
        headers.put(HttpFields.CONNECTION_CLOSE);
      }
    }

    private RequestGate gate() {
      return endPoint.connector().gate();
    }

    /** As the servlet's request has it, so that the filter draws the same lot. */
    private String requestId() {
      return request.getConnectionMetaData().getId() + '#' + request.getId();
    }

    /**
     * As it stops Jetty fails the requests of a connection, and then closes it. What an application
     * makes of that failure in between is no answer: an error page, or with Spring an empty 200.
     */
    @Override
    public void send(
        MetaData.Request to,
        MetaData.@Nullable Response response,
        boolean last,
        ByteBuffer content,
        Callback callback) {
      if (response != null && isTakenByAServlet(response)) {
        becomeLongLived();
      }
      if (response != null && isGivenUp()) {
        super.send(to, refusal(response.getHttpVersion()), true, BufferUtil.EMPTY_BUFFER, callback);
      } else if (response != null && !last && isToBeChunked(to, response)) {
        super.send(to, chunked(response), false, content, callback);
      } else {
        super.send(to, response, last, content, callback);
      }
    }

    /**
     * After {@code Connection: close} Jetty has the end of the connection end a body whose length
     * is not known, so that what is cut looks whole; but in chunks, if there may be trailers. The
     * filter cannot say so of what is compressed below it, nor of error pages.
     */
    private boolean isToBeChunked(MetaData.Request to, MetaData.Response response) {
      return gate().mayCloseConnections()
          && response.getContentLength() < 0
          && response.getTrailersSupplier() == null
          && response.getStatus() >= HttpStatus.OK_200
          && to.getHttpVersion() == HttpVersion.HTTP_1_1
          && !HttpMethod.HEAD.is(to.getMethod());
    }

    private static MetaData.Response chunked(MetaData.Response response) {
      return new MetaData.Response(
          response.getStatus(),
          response.getReason(),
          response.getHttpVersion(),
          response.getHttpFields(),
          response.getContentLength(),
          () -> HttpFields.EMPTY);
    }

    /** By {@code HttpServletRequest.upgrade}, to which Jetty lends the streams of the request. */
    private boolean isTakenByAServlet(MetaData.Response response) {
      return http1 && response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101 && !isUpgraded();
    }

    private boolean isUpgraded() {
      return request.getAttribute(HttpStream.UPGRADE_CONNECTION_ATTRIBUTE) instanceof Connection;
    }

    /** Once the connector stops nothing else is left. */
    private boolean isGivenUp() {
      return gate().mayCloseConnections()
          && request.getConnectionMetaData().getConnector().isStopping();
    }

    private MetaData.Response refusal(HttpVersion version) {
      HttpFields.Mutable headers = HttpFields.build();
      RequestGate.refusalHeaders(!http1).forEach(headers::put);
      return new MetaData.Response(RequestGate.REFUSED_STATUS, null, version, headers, 0);
    }

    @Override
    public void succeeded() {
      over();
      if (http1 && isUpgraded()) {
        upgrade();
      } else {
        super.succeeded();
      }
    }

    private void upgrade() {
      Upgrading.begin(endPoint);
      try {
        // With the first callback of a WebSocket in it.
        super.succeeded();
      } finally {
        Upgrading.end();
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
