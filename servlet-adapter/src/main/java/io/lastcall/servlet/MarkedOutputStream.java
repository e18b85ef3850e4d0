package io.lastcall.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** The container's stream, with a word to the response before anything can commit it. */
final class MarkedOutputStream extends ServletOutputStream {
  private final ServletOutputStream to;
  private final MarkedResponse response;

  MarkedOutputStream(ServletOutputStream to, MarkedResponse response) {
    this.to = to;
    this.response = response;
  }

  @Override
  public void write(int b) throws IOException {
    response.beforeWrite(1);
    response.guarded(() -> to.write(b));
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    response.beforeWrite(length);
    response.guarded(() -> to.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    response.beforeCommit();
    response.guarded(to::flush);
  }

  @Override
  public void close() throws IOException {
    response.beforeCommit();
    to.close();
  }

  @Override
  public boolean isReady() {
    return to.isReady();
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    to.setWriteListener(listener);
  }
}
