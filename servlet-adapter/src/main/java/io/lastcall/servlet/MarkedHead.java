package io.lastcall.servlet;

import io.lastcall.inflight.RequestGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says on the head whether the connection ends after this response. The Servlet API has no commit
 * hook, so it is decided at the calls that come before a commit: {@code getOutputStream}, {@code
 * getWriter}, {@code flushBuffer}, {@code sendError}, {@code sendRedirect}, and the end of the
 * request. A response whose stream was taken before the shutdown began, and which overflows its
 * buffer after that, leaves it to the next one.
 */
abstract class MarkedHead extends HttpServletResponseWrapper {
  /** The container's. */
  final HttpServletRequest request;

  /** The container's. Not {@code super}: for an include Tomcat puts a wrapper below us. */
  final HttpServletResponse plain;

  final Exchange exchange;
  private final RequestGate gate;
  private boolean errorSent;

  MarkedHead(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestGate gate,
      Exchange exchange) {
    super(response);
    this.request = request;
    this.plain = response;
    this.gate = gate;
    this.exchange = exchange;
  }

  /** HTTP/2 and later end connections by GOAWAY; the header is forbidden (RFC 9113, 8.2.2). */
  static boolean isMultiplexed(HttpServletRequest request) {
    return !request.getProtocol().startsWith("HTTP/1");
  }

  /** Returns whether the container may still replace what was written by an error page. */
  final boolean expectsErrorPage() {
    return errorSent;
  }

  /**
   * Called before what may commit the head; more than once, each time with the same lot.
   *
   * @param whole whether the body is complete, so that the container knows its length
   */
  final void mark(boolean whole) {
    if (!gate.mayCloseConnections() || isCommitted() || isMultiplexed(request)) {
      return;
    }
    // An upgrade has its own word for the header, and its connection leaves HTTP.
    if (getStatus() != SC_SWITCHING_PROTOCOLS
        && gate.shouldCloseConnection(request.getRequestId())) {
      plain.setHeader("Connection", "close");
    }
    if (!whole) {
      keepChunked();
    }
  }

  /**
   * Has a body of unknown length sent in chunks. After {@code Connection: close} Tomcat and Jetty
   * would let the end of the connection end it, so that a cut body looks whole; but where there may
   * be trailers they send chunks. Not only if this call said close: a connector may say it later.
   */
  private void keepChunked() {
    if (mayHaveBody()
        && "HTTP/1.1".equals(request.getProtocol())
        && !plain.containsHeader("Content-Length")
        && plain.getTrailerFields() == null) {
      plain.setTrailerFields(Map::of);
    }
  }

  /** Tomcat would give a response without a body the header too (RFC 9112, 6.1). */
  private boolean mayHaveBody() {
    int status = getStatus();
    return status != SC_SWITCHING_PROTOCOLS
        && status != SC_NO_CONTENT
        && status != SC_RESET_CONTENT
        && status != SC_NOT_MODIFIED
        && !"HEAD".equals(request.getMethod());
  }

  @Override
  public void sendError(int status) throws IOException {
    beforeError(status);
    super.sendError(status);
  }

  @Override
  public void sendError(int status, @Nullable String message) throws IOException {
    beforeError(status);
    super.sendError(status, message);
  }

  /** 102 and 103 are sent at once by Tomcat and Jetty, and the response is still to come. */
  private void beforeError(int status) {
    if (status != 102 && status != 103) {
      // Asked before: containers say of an error that is sent that it is committed, page or not.
      errorSent |= !isCommitted();
      exchange.attachTo(request);
      mark(true);
    }
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    mark(true);
    super.sendRedirect(location);
  }

  /** Of Servlet 6.1, as the next two: a 6.0 container has no such method, and none is called. */
  @Override
  public void sendRedirect(String location, int status) throws IOException {
    mark(true);
    super.sendRedirect(location, status);
  }

  @Override
  public void sendRedirect(String location, boolean clearBuffer) throws IOException {
    mark(true);
    super.sendRedirect(location, clearBuffer);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    mark(true);
    super.sendRedirect(location, status, clearBuffer);
  }
}
