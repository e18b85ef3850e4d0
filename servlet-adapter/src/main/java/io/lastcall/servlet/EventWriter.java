package io.lastcall.servlet;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * The container's writer for an event stream. As with any {@link PrintWriter}, a write that fails
 * shows in {@link #checkError()} only. Writes go straight to the container's: the superclass would
 * take its lock around each.
 */
final class EventWriter extends PrintWriter {
  private final PrintWriter to;
  private final MarkedResponse response;

  /** A write has failed above the container's writer, which knows nothing of it. */
  private volatile boolean failed;

  EventWriter(PrintWriter to, MarkedResponse response) {
    super(to);
    this.to = to;
    this.response = response;
  }

  @Override
  public void write(int c) {
    attempt(() -> to.write(c));
  }

  @Override
  public void write(char[] chars, int offset, int length) {
    attempt(() -> to.write(chars, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) {
    attempt(() -> to.write(text, offset, length));
  }

  /** The superclass writes it past the methods above. */
  @Override
  public void println() {
    attempt(to::println);
  }

  /** In the container's locale: Jetty takes the response's. */
  @Override
  public PrintWriter format(String format, Object... args) {
    attempt(() -> to.format(format, args));
    return this;
  }

  @Override
  public void flush() {
    attempt(this::flushNow);
  }

  @Override
  public void close() {
    try {
      response.close(super::close);
    } catch (IOException ended) {
      failed = true;
    }
  }

  /** The superclass would ask the container's writer alone. */
  @Override
  public boolean checkError() {
    flush();
    return failed;
  }

  /** It flushes, and tells what happened. */
  private void flushNow() throws IOException {
    if (to.checkError()) {
      throw new IOException("The response cannot be written");
    }
  }

  private void attempt(MarkedResponse.Write write) {
    try {
      response.write(write);
    } catch (IOException ended) {
      failed = true;
    }
  }
}
