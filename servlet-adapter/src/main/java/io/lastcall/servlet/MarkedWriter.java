package io.lastcall.servlet;

import java.io.IOException;
import java.io.PrintWriter;

/**
 * The container's writer, with a word to the response before anything can commit it. As with any
 * {@link PrintWriter}, a write that fails shows in {@link #checkError()} only.
 *
 * <p>Lock order: the container's writer first, then the response. {@link PrintWriter} already holds
 * the first when it formats.
 */
final class MarkedWriter extends PrintWriter {
  /** UTF-8 takes at most three bytes for a char. */
  private static final long MAX_BYTES = 3;

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
    write(MAX_BYTES, () -> super.write(c));
  }

  @Override
  public void write(char[] chars, int offset, int length) {
    write(MAX_BYTES * length, () -> super.write(chars, offset, length));
  }

  @Override
  public void write(String text, int offset, int length) {
    write(MAX_BYTES * length, () -> super.write(text, offset, length));
  }

  /** The superclass writes it past the methods above. */
  @Override
  public void println() {
    write(System.lineSeparator());
  }

  @Override
  public void flush() {
    write(MarkedResponse.ALL, this::flushNow);
  }

  @Override
  public void close() {
    synchronized (to) {
      try {
        response.close(super::close);
      } catch (IOException ended) {
        failed = true;
      }
    }
  }

  /** The superclass would ask the container's writer alone. */
  @Override
  public boolean checkError() {
    flush();
    return failed || to.checkError();
  }

  /** It flushes, and tells what happened. */
  private void flushNow() throws IOException {
    if (to.checkError()) {
      throw new IOException("The response cannot be written");
    }
  }

  private void write(long bytes, MarkedResponse.Write write) {
    synchronized (to) {
      try {
        response.write(bytes, write);
      } catch (IOException ended) {
        failed = true;
      }
    }
  }
}
