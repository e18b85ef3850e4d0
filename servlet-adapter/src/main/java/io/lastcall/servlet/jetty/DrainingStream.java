package io.lastcall.servlet.jetty;

import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.UpgradedConnection;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DrainingRequest} and its response below the servlet container, where Jetty says that a
 * head is about to be written, whoever wrote it: error pages, probes and other applications
 * included.
 */
final class DrainingStream extends HttpStream.Wrapper {
  /** Where a WebSocket endpoint is being opened on this thread. */
  private static final ThreadLocal<DrainingEndPoint> UPGRADING = new ThreadLocal<>();

  private final Request request;
  private final DrainingEndPoint endPoint;
  private final boolean http1;
  private volatile boolean longLived;
  private volatile boolean errorPage;

  /** Set before a look at the two above, whose writers look at it: one sees the other. */
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
  void begin() {
    if (mark(true)) {
      endPoint.streamBegan(getId());
      if (over) {
        endPoint.streamEnded(getId());
      }
    }
  }

  /** The filter has let go of a request that may still get an error page. */
  void awaitErrorPage() {
    errorPage = true;
    endPoint.errorPageToCome(getId());
    if (over) {
      endPoint.errorPageOver(getId());
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
  static UpgradedConnection currentConnection() {
    @Nullable DrainingEndPoint current = UPGRADING.get();
    if (current == null) {
      throw new IllegalStateException("No connection is being upgraded on this thread");
    }
    return current;
  }

  /** RFC 9112, section 9.6; HTTP/2 forbids the header (RFC 9113, section 8.2.2). */
  @Override
  public void prepareResponse(HttpFields.Mutable headers) {
    super.prepareResponse(headers);
    if (http1
        && endPoint.ledger().shouldCloseConnection()
        && !headers.contains(HttpHeader.UPGRADE)) {
      headers.put(HttpFields.CONNECTION_CLOSE);
    }
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
      begin();
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
   * Behind {@code Connection: close} Jetty has the end of the connection end a body whose length is
   * not known, so that what is cut looks whole; but in chunks, if there may be trailers. The filter
   * cannot say so of what is compressed below it, nor of error pages, nor know what is to fit the
   * buffer.
   */
  private boolean isToBeChunked(MetaData.Request to, MetaData.Response response) {
    return endPoint.ledger().mayCloseConnections()
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
    return endPoint.ledger().mayCloseConnections()
        && request.getConnectionMetaData().getConnector().isStopping();
  }

  private MetaData.Response refusal(HttpVersion version) {
    HttpFields.Mutable headers = HttpFields.build();
    headers.put(HttpHeader.RETRY_AFTER, RequestGate.RETRY_AFTER_SECONDS);
    if (http1) {
      headers.put(HttpFields.CONNECTION_CLOSE);
    }
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
    UPGRADING.set(endPoint);
    try {
      // With the first callback of a WebSocket in it.
      super.succeeded();
    } finally {
      UPGRADING.remove();
      endPoint.opened();
    }
  }

  /** Behind its head Jetty fails an asynchronous request without a word to its listeners. */
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
    if (errorPage) {
      endPoint.errorPageOver(getId());
    }
  }
}
