package io.lastcall.servlet;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.RequestGate;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a response is an event stream, by its type, and if so ends it when it is told
 * to. Any other response has the container's own stream or writer.
 */
final class MarkedResponse extends MarkedHead {
  private @Nullable EventOutputStream stream;

  /** The container's own, or ours around it. */
  private @Nullable PrintWriter writer;

  private volatile @Nullable EventStream events;

  /** Something that goes to the container's stream or writer. */
  @FunctionalInterface
  interface Write {
    void run() throws IOException;
  }

  MarkedResponse(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestGate gate,
      Exchange exchange) {
    super(request, response, gate, exchange);
  }

  /**
   * A listener may set the type as late as right before its first write. Asks the container, since
   * frameworks set the type in many ways.
   */
  private boolean mayBecomeEventStream() {
    return events != null
        || EndlessResponse.isEventStream(plain.getContentType())
        || (request.isAsyncStarted() && plain.getContentType() == null);
  }

  /** Returns the event stream without end that the response is from now on; null if it is none. */
  private @Nullable EventStream events() {
    if (events == null
        && EndlessResponse.isKnown(
            request.getMethod(), getStatus(), plain.getContentType(), null)) {
      becomeEventStream();
    }
    return events;
  }

  /**
   * Once: an application may mark the request concurrently with its first event. Not where the
   * application has said that the response ends by itself.
   */
  void becomeEventStream() {
    if (exchange.isFinite()) {
      return;
    }
    EventStream created = new EventStream(request, plain, this::mayEnd);
    synchronized (this) {
      if (events != null) {
        return;
      }
      events = created;
    }
    exchange.becomeLongLived(request, created);
  }

  /** Returns whether the response may end now; if not, its listener is called when it may. */
  private boolean mayEnd() {
    EventOutputStream known = stream;
    return known == null || known.mayEnd();
  }

  /** The response is complete: nothing of ours may touch it from now on. */
  void over() {
    EventStream known = events;
    if (known != null) {
      known.over();
    }
  }

  /** Returns whether this is an event stream that was told to end. */
  boolean isToEnd() {
    EventStream known = events;
    return known != null && known.isTold();
  }

  /**
   * Hands something to the container, as an event if this is an event stream.
   *
   * @throws IOException from the write, or because the event stream has ended
   */
  void write(Write write) throws IOException {
    try {
      EventStream known = events();
      if (known == null) {
        write.run();
        return;
      }
      if (known.write(write)) {
        return;
      }
    } catch (IOException e) {
      exchange.undeliverable();
      throw e;
    } catch (RuntimeException e) {
      // A NullPointerException or such from Tomcat if it has ended the request, and else a mistake.
      if (isTakenAway()) {
        exchange.undeliverable();
      }
      throw e;
    }
    // No failed write: what was written before is still to leave, and the last chunk after it.
    throw new IOException("The event stream has ended: the server is shutting down");
  }

  /** Tomcat has ended the request, maybe without a word: its response cannot even be asked. */
  private boolean isTakenAway() {
    try {
      getStatus();
      return false;
    } catch (RuntimeException recycled) {
      return true;
    }
  }

  /** The container's listener may write: to an event stream, as one write. */
  void listen(WriteListener listener) throws IOException {
    EventStream known = events();
    if (known == null) {
      listener.onWritePossible();
    } else {
      known.write(listener::onWritePossible);
    }
  }

  /** Not held back by the end of an event stream: it is what follows that end. */
  void close(Write close) throws IOException {
    try {
      mark(true);
      close.run();
    } catch (IOException | RuntimeException e) {
      exchange.undeliverable();
      throw e;
    }
  }

  /** Hands the whole response to the container. A client that is gone is no failure. */
  void finish() {
    try {
      if (writer != null) {
        writer.close();
      } else {
        getResponse().getOutputStream().close();
      }
    } catch (IOException | IllegalStateException gone) {
      // Nobody is there to read it, or somebody has finished it.
    }
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (stream != null) {
      return stream;
    }
    mark(false);
    ServletOutputStream containers = super.getOutputStream();
    if (!mayBecomeEventStream()) {
      return containers;
    }
    stream = new EventOutputStream(containers, this);
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      mark(false);
      PrintWriter containers = super.getWriter();
      writer = mayBecomeEventStream() ? new EventWriter(containers, this) : containers;
    }
    return writer;
  }

  @Override
  public void flushBuffer() throws IOException {
    mark(false);
    write(super::flushBuffer);
  }

  @Override
  public void reset() {
    super.reset();
    stream = null;
    writer = null;
  }
}
