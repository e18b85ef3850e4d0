package io.lastcall.servlet;

import io.lastcall.inflight.RequestGate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the head says at the last moment before it is committed: whether the connection ends
 * behind this response, and whether this response is an event stream.
 *
 * <p>There is no commit hook in the Servlet API, so it is decided before every call that may
 * commit. Near the end of the buffer that may be up to one buffer too early.
 */
abstract class MarkedHead extends HttpServletResponseWrapper {
  static final String EVENT_STREAM = "text/event-stream";

  private final HttpServletRequest request;

  /** Not {@code super}: Tomcat puts a wrapper below us for an include, which drops headers. */
  private final HttpServletResponse plain;

  private final RequestGate gate;

  final Exchange exchange;

  private boolean decided;
  private boolean errorSent;
  private boolean lengthKnown;
  private boolean eventStream;
  private long buffered;
  private volatile @Nullable EventStream events;

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
    noteType(response.getContentType());
  }

  /** HTTP/2 and later end connections by GOAWAY; the header is forbidden (RFC 9113, 8.2.2). */
  static boolean isMultiplexed(HttpServletRequest request) {
    return !request.getProtocol().startsWith("HTTP/1");
  }

  /** As a rule there is nothing to decide before a shutdown has begun. */
  private boolean mayDecide() {
    return eventStream || gate.mayCloseConnections();
  }

  /** Before what follows ends the response: it is whole with that, and no stream. */
  final void beforeEnd() {
    eventStream = false;
    decide(true);
  }

  private void decide(boolean whole) {
    if (decided) {
      return;
    }
    decided = true;
    if (!mayDecide()) {
      return;
    }
    // On Jetty that takes a lock.
    if (!isCommitted()) {
      mark(whole);
    } else if (!whole) {
      committedUnseen();
    }
  }

  /** Asks the container: what was set behind that does not count. */
  private void committedUnseen() {
    noteType(plain.getContentType());
    if (isEventStream()) {
      becomeEventStream();
    }
  }

  /** An error of that type is a page like any other. */
  private boolean isEventStream() {
    return eventStream && getStatus() < HttpServletResponse.SC_MULTIPLE_CHOICES;
  }

  private void mark(boolean whole) {
    // An upgrade has its own word for the header, and its connection leaves HTTP.
    if (gate.shouldCloseConnection()
        && !isMultiplexed(request)
        && getStatus() != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
      plain.setHeader("Connection", "close");
    }
    // isFramedAtCommit is asked for every head, also where the gate has just said no: Jetty's
    // connector begins to follow the response by it, asks the gate itself, and may hear yes.
    if (gate.mayCloseConnections() && !exchange.isFramedAtCommit(request) && !whole) {
      keepChunked();
    }
    if (isEventStream()) {
      becomeEventStream();
    }
  }

  /** Whether the response may end now; if not, its listener is called when it may. */
  abstract boolean mayEnd();

  /** Once: whoever marks a request does so beside the thread that writes its first event. */
  final void becomeEventStream() {
    EventStream stream = new EventStream(request, plain, this::mayEnd);
    synchronized (this) {
      if (events != null) {
        return;
      }
      events = stream;
    }
    exchange.becomeLongLived(request, stream);
  }

  /**
   * Has a body whose length is not known sent in chunks. Behind {@code Connection: close} Tomcat
   * and Jetty would let the end of the connection be the end of the body, and one that is cut would
   * look whole; but where there may be trailers they send chunks. They do so as well where the body
   * fits the buffer after all, which a connector of ours avoids: it decides for itself, at the
   * commit.
   */
  private void keepChunked() {
    if (!lengthKnown
        && mayHaveBody()
        && "HTTP/1.1".equals(request.getProtocol())
        && plain.getTrailerFields() == null) {
      plain.setTrailerFields(Map::of);
    }
  }

  /** Tomcat would give a response without a body the header too (RFC 9112, 6.1). */
  private boolean mayHaveBody() {
    int status = getStatus();
    return status != HttpServletResponse.SC_SWITCHING_PROTOCOLS
        && status != HttpServletResponse.SC_NO_CONTENT
        && status != HttpServletResponse.SC_RESET_CONTENT
        && status != HttpServletResponse.SC_NOT_MODIFIED
        && !"HEAD".equals(request.getMethod());
  }

  /** The response is complete: nothing of ours may touch it from now on. */
  final void over() {
    EventStream known = events;
    if (known != null) {
      known.over();
    }
  }

  /** Returns what the response has turned out to be, or null. */
  final @Nullable EventStream events() {
    return events;
  }

  final void beforeWrite(long bytes) {
    if (decided) {
      return;
    }
    buffered += bytes;
    if (!mayDecide()) {
      return;
    }
    // A container may commit when the announced length is reached, and Jetty takes what is longer
    // than a quarter of the buffer past it: decided early, that is safe.
    if (lengthKnown || buffered >= getBufferSize() || bytes > getBufferSize() / 4) {
      decide(false);
    }
  }

  /** Of another type a listener may still set the head, and its first write decides. */
  final void beforeListener() {
    if (eventStream) {
      decide(false);
    }
  }

  /** Returns the container's. */
  final HttpServletRequest request() {
    return request;
  }

  /** Whether the container may still replace what was written by an error page. */
  final boolean expectsErrorPage() {
    return errorSent;
  }

  /** Noted when it is set, and not asked for: Tomcat would make the text anew each time. */
  private void noteType(@Nullable String type) {
    eventStream =
        type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
  }

  /** What was written may reach it, and Tomcat then takes no header any more. */
  private void noteLength() {
    lengthKnown = true;
    if (buffered > 0) {
      beforeWrite(0);
    }
  }

  private void noteHeader(String name, @Nullable String value) {
    if ("Content-Length".equalsIgnoreCase(name)) {
      noteLength();
    } else if ("Content-Type".equalsIgnoreCase(name)) {
      noteType(value);
    }
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
    if (status == 102 || status == 103) {
      return;
    }
    // Asked before: containers say of an error that is sent that it is committed, page or not.
    errorSent |= !isCommitted();
    exchange.attachTo(request);
    beforeEnd();
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    beforeEnd();
    super.sendRedirect(location);
  }

  /** Of Servlet 6.1, as the next two: a 6.0 container has no such method, and none is called. */
  @Override
  public void sendRedirect(String location, int status) throws IOException {
    beforeEnd();
    super.sendRedirect(location, status);
  }

  @Override
  public void sendRedirect(String location, boolean clearBuffer) throws IOException {
    beforeEnd();
    super.sendRedirect(location, clearBuffer);
  }

  @Override
  public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
    beforeEnd();
    super.sendRedirect(location, status, clearBuffer);
  }

  @Override
  public void reset() {
    super.reset();
    decided = false;
    buffered = 0;
    lengthKnown = false;
    eventStream = false;
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    buffered = 0;
  }

  @Override
  public void setContentLength(int length) {
    noteLength();
    super.setContentLength(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    noteLength();
    super.setContentLengthLong(length);
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    noteHeader(name, value);
    super.setHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    noteHeader(name, String.valueOf(value));
    super.setIntHeader(name, value);
  }

  @Override
  public void addIntHeader(String name, int value) {
    noteHeader(name, String.valueOf(value));
    super.addIntHeader(name, value);
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    noteHeader(name, value);
    super.addHeader(name, value);
  }

  @Override
  public void setContentType(@Nullable String type) {
    noteType(type);
    super.setContentType(type);
  }
}
