package io.lastcall.servlet.tomcat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Stands before Tomcat's adapter and counts the exchanges of one HTTP/2 connection. One ends when
 * Tomcat has finished its response, so its last frame is written; Tomcat's own number of active
 * streams goes down just before that write.
 */
final class ExchangeCounter implements Adapter {
  private final Adapter adapter;
  private final AtomicInteger open = new AtomicInteger();

  /** Set before the first exchange. */
  private Runnable onEnd = () -> {};

  ExchangeCounter(Adapter adapter) {
    this.adapter = adapter;
  }

  /** From now on {@code action} runs after each exchange, on the thread that ended it. */
  void onEnd(Runnable action) {
    onEnd = action;
  }

  boolean isNoneOpen() {
    return open.get() == 0;
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    open.incrementAndGet();
    boolean goesOn = false;
    try {
      adapter.service(request, response);
      goesOn = isWaiting(request);
    } finally {
      endUnless(goesOn);
    }
  }

  /** Tomcat calls this until the exchange is no longer asynchronous or has failed. */
  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent event)
      throws Exception {
    boolean goesOn = false;
    try {
      boolean succeeded = adapter.asyncDispatch(request, response, event);
      goesOn = succeeded && isWaiting(request);
      return succeeded;
    } finally {
      endUnless(goesOn);
    }
  }

  private static boolean isWaiting(Request request) {
    return is(ActionCode.ASYNC_IS_ASYNC, request) && !is(ActionCode.IS_ERROR, request);
  }

  private static boolean is(ActionCode question, Request request) {
    AtomicBoolean answer = new AtomicBoolean();
    request.action(question, answer);
    return answer.get();
  }

  private void endUnless(boolean goesOn) {
    if (!goesOn) {
      open.decrementAndGet();
      onEnd.run();
    }
  }

  @Override
  public boolean prepare(Request request, Response response) throws Exception {
    return adapter.prepare(request, response);
  }

  @Override
  public void log(Request request, Response response, long time) {
    adapter.log(request, response, time);
  }

  @Override
  public void checkRecycled(Request request, Response response) {
    adapter.checkRecycled(request, response);
  }

  @Override
  public String getDomain() {
    return adapter.getDomain();
  }
}
