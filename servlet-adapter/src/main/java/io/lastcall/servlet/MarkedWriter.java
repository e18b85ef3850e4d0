package io.lastcall.servlet;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * The container's writer, with a word to the response before anything can commit it. As with any
 * {@link PrintWriter}, a write that fails shows in {@link #checkError()} only. Writes go straight
 * to the container's: the superclass would take its lock around each.
 */
final class MarkedWriter extends PrintWriter {
  /** UTF-8 takes at most three bytes for a char. */
  static final long MAX_BYTES = 3;

  /** CR and LF. */
  private static final long LINE_END = 2 * MAX_BYTES;

  private final PrintWriter to;
  private final MarkedResponse response;

  /** A write has failed above the container's writer, which knows nothing of it. */
  private volatile boolean failed;

  MarkedWriter(PrintWriter to, MarkedResponse response) {
    super(to);
    this.to = to;
    this.response = response;
  }

  @Override
  public void write(int c) {
    write(MAX_BYTES, () -> to.write(c));
  }

  @Override
  public void write(char[] chars, int offset, int length) {
    write(MAX_BYTES * length, () -> to.write(chars, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) {
    write(MAX_BYTES * length, () -> to.write(text, offset, length));
  }

  /** The superclass writes it past the methods above; Undertow's lines end as HTTP's do. */
  @Override
  public void println() {
    write(LINE_END, to::println);
  }

  /** In the container's locale: Jetty takes the response's. */
  @Override
  public PrintWriter format(String format, Object... args) {
    write(MarkedResponse.ALL, () -> to.format(format, args));
    return this;
  }

  @Override
  public void flush() {
    write(MarkedResponse.ALL, this::flushNow);
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
    if (out == null) {
      return failed || to.checkError();
    }
    flush();
    return failed;
  }

  /** Returns what {@link PrintWriter} holds while it formats. */
  Object lock() {
    return lock;
  }

  /** It flushes, and tells what happened. */
  private void flushNow() throws IOException {
    if (to.checkError()) {
      throw new IOException("The response cannot be written");
    }
  }

  private void write(long bytes, MarkedResponse.Write write) {
    try {
      response.write(bytes, write);
    } catch (IOException ended) {
      failed = true;
    }
  }
}
