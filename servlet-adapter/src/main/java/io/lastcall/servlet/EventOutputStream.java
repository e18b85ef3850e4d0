package io.lastcall.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Objects;

/** The container's stream for an event stream: each write is an event, or a part of one. */
final class EventOutputStream extends ServletOutputStream {
  private final ServletOutputStream to;
  private final MarkedResponse response;
  private volatile boolean nonBlocking;

  EventOutputStream(ServletOutputStream to, MarkedResponse response) {
    this.to = to;
    this.response = response;
  }

  @Override
  public void write(int b) throws IOException {
    response.write(() -> to.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    response.write(() -> to.write(bytes, offset, length));
  }

  /** The superclass knows ISO 8859-1 only; Jetty's writes text in the response's encoding. */
  @Override
  public void print(String text) throws IOException {
    response.write(() -> to.print(text));
  }

  @Override
  public void flush() throws IOException {
    response.write(to::flush);
  }

  @Override
  public void close() throws IOException {
    response.close(to::close);
  }

  /** False once the stream is to end: a listener that never pauses returns by that. */
  @Override
  public boolean isReady() {
    return !response.isToEnd() && to.isReady();
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    Objects.requireNonNull(listener, "listener must not be null");
    to.setWriteListener(
        new WriteListener() {
          @Override
          public void onWritePossible() throws IOException {
            response.listen(listener);
          }

          @Override
          public void onError(Throwable failure) {
            listener.onError(failure);
          }
        });
    nonBlocking = true;
  }

  /**
   * Returns whether the response may end now: Jetty cuts one that has a write pending. If not, the
   * container calls the listener when it may.
   */
  boolean mayEnd() {
    return !nonBlocking || to.isReady();
  }
}
