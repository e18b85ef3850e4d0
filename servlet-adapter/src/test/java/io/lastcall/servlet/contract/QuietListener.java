package io.lastcall.servlet.contract;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;

/** Does nothing at whatever its subclass has no answer to. */
class QuietListener implements AsyncListener {
  @Override
  public void onComplete(AsyncEvent event) throws IOException {}

  @Override
  public void onTimeout(AsyncEvent event) {}

  @Override
  public void onError(AsyncEvent event) {}

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
