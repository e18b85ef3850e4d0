package io.lastcall.servlet.contract;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** Reads a body without blocking, and answers its length. */
final class LengthReader implements ReadListener {
  private final AsyncContext context;
  private final ServletInputStream body;
  private final CountDownLatch begun;
  private int length;

  /**
   * @param begun counted down once part of the body has been read
   */
  LengthReader(HttpServletRequest request, CountDownLatch begun) throws IOException {
    context = request.startAsync();
    body = request.getInputStream();
    this.begun = begun;
    body.setReadListener(this);
  }

  @Override
  public void onDataAvailable() throws IOException {
    byte[] part = new byte[3];
    while (body.isReady() && !body.isFinished()) {
      length += Math.max(0, body.read(part));
    }
    begun.countDown();
  }

  @Override
  public void onAllDataRead() throws IOException {
    ContainerContract.print(context, String.valueOf(length));
    context.complete();
  }

  @Override
  public void onError(Throwable failure) {
    context.complete();
  }
}
