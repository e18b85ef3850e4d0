package io.lastcall.servlet;

import io.lastcall.inflight.RequestGate;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Everything that may commit the response passes here, once its head is decided; and what an event
 * stream says stops when that is to end.
 */
final class MarkedResponse extends MarkedHead {
  /** At least what any buffer holds: what is written commits the response. */
  static final long ALL = Integer.MAX_VALUE;

  private @Nullable MarkedOutputStream stream;
  private @Nullable MarkedWriter writer;

  MarkedResponse(
      HttpServletRequest request,
      HttpServletResponse response,
      RequestGate gate,
      Exchange exchange) {
    super(request, response, gate, exchange);
  }

  /**
   * Hands {@code bytes} to the container, once the head is decided if they can commit it.
   *
   * @throws IOException from the write, or because the event stream has ended
   */
  void write(long bytes, Write write) throws IOException {
    try {
      beforeWrite(bytes);
      EventStream known = events();
      if (known == null) {
        write.run();
        return;
      }
      if (writeEvent(known, write)) {
        return;
      }
    } catch (CharConversionException e) {
      // The caller's own mistake.
      throw e;
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
    // No failed write: what was written before is still to leave, and the last chunk behind it.
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

  /** Not held back by the end of an event stream: it is what follows that end. */
  void close(Write close) throws IOException {
    try {
      beforeEnd();
      close.run();
    } catch (IOException | RuntimeException e) {
      exchange.undeliverable();
      throw e;
    }
  }

  /** The container's listener may write: to an event stream, as one write. */
  void listen(WriteListener listener) throws IOException {
    beforeListener();
    EventStream known = events();
    if (known == null) {
      listener.onWritePossible();
    } else {
      writeEvent(known, listener::onWritePossible);
    }
  }

  /** Whether this is an event stream that has been told to end. */
  boolean isToEnd() {
    EventStream known = events();
    return known != null && known.isTold();
  }

  @Override
  boolean mayEnd() {
    MarkedOutputStream known = stream;
    return known == null || known.mayEnd();
  }

  /** Ends the stream, if that is to be, with no lock held: listeners may wait for a writer. */
  private boolean writeEvent(EventStream events, Write write) throws IOException {
    boolean written = false;
    boolean ended;
    try {
      written = runInOrder(events, write);
    } finally {
      ended = events.endIfTold();
    }
    if (!written && !ended) {
      throw new IOException("The container has ended the event stream");
    }
    return written;
  }

  /** The container's writer is locked before the stream: whoever formats already holds it. */
  private boolean runInOrder(EventStream events, Write write) throws IOException {
    MarkedWriter formatter = writer;
    if (formatter == null) {
      return events.write(write);
    }
    synchronized (formatter.lock()) {
      return events.write(write);
    }
  }

  /** Something that goes to the container's stream or writer. */
  @FunctionalInterface
  interface Write {
    void run() throws IOException;
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
    if (stream == null) {
      stream = new MarkedOutputStream(super.getOutputStream(), this);
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      writer = new MarkedWriter(super.getWriter(), this);
    }
    return writer;
  }

  @Override
  public void flushBuffer() throws IOException {
    write(ALL, super::flushBuffer);
  }

  @Override
  public void reset() {
    super.reset();
    stream = null;
    writer = null;
  }
}
