package io.lastcall.servlet.tomcat;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Stands before Tomcat's adapter and counts the exchanges of one HTTP/2 connection: from the
 * request's way to the application until Tomcat is done with it, its last frame written. Tomcat's
 * own number of active streams goes down just before that write. Counts apart those that have
 * become streams of events, or other long-lived ones.
 */
final class ExchangeCounter implements Adapter {
  /** Where an application's request has its exchange: Catalina's looks for it in Coyote's too. */
  static final String ATTRIBUTE = ExchangeCounter.class.getName();

  /** Where Coyote's request has it still when recycled; Tomcat leaves 17 to 31 to others. */
  private static final int NOTE = 17;

  private final Adapter adapter;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger longLived = new AtomicInteger();

  /** Set before the first exchange. */
  private Runnable onChange = () -> {};

  private long acceptTime = -1;

  ExchangeCounter(Adapter adapter) {
    this.adapter = adapter;
  }

  /**
   * From now on the action runs after an exchange has ended or become long-lived, on the thread
   * that did that.
   */
  void listen(Runnable newOnChange) {
    onChange = newOnChange;
  }

  /** Before the first exchange. */
  void accepted(long connectionAcceptTime) {
    acceptTime = connectionAcceptTime;
  }

  int open() {
    return open.get();
  }

  int longLived() {
    return longLived.get();
  }

  /** One request and its response. */
  static final class Exchange {
    private final ExchangeCounter counter;
    private boolean longLived;
    private boolean ended;

    private Exchange(ExchangeCounter counter) {
      this.counter = counter;
    }

    long acceptTime() {
      return counter.acceptTime;
    }

    /** From a thread of the application's, maybe, and then maybe after its end. */
    void becameLongLived() {
      if (markLongLived()) {
        counter.onChange.run();
      }
    }

    private synchronized boolean markLongLived() {
      boolean now = !ended && !longLived;
      if (now) {
        longLived = true;
        counter.longLived.incrementAndGet();
      }
      return now;
    }

    private void end() {
      markEnded();
      // In this order: a long-lived one counts as any other in between.
      counter.open.decrementAndGet();
      counter.onChange.run();
    }

    private synchronized void markEnded() {
      ended = true;
      if (longLived) {
        counter.longLived.decrementAndGet();
      }
    }
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    Exchange exchange = new Exchange(this);
    open.incrementAndGet();
    request.setNote(NOTE, exchange);
    request.setAttribute(ATTRIBUTE, exchange);
    adapter.service(request, response);
    completeIfFailed(request, null);
  }

  private static void completeIfFailed(Request request, @Nullable Object before) {
    // In this order: an attribute that is not there costs four look-ups, and most are not async.
    if (isAsync(request)) {
      Object failure = failure(request);
      if (failure != null && failure != before) {
        complete(request);
      }
    }
  }

  private static @Nullable Object failure(Request request) {
    return request.getNote(CoyoteAdapter.ADAPTER_NOTES) instanceof HttpServletRequest known
        ? known.getAttribute(RequestDispatcher.ERROR_EXCEPTION)
        : null;
  }

  /** Of Coyote's request: the container's takes this thread for the application's by now. */
  private static boolean isAsync(Request request) {
    AtomicBoolean answer = new AtomicBoolean();
    request.action(ActionCode.ASYNC_IS_STARTED, answer);
    return answer.get();
  }

  /**
   * What fails while it starts async, by what its servlet throws or by the client's reset, Tomcat
   * 11.0.25 and 10.1.55 tell the listeners of, and leave there: no {@code onComplete}, and their
   * next step closes the connection with all of its streams. Completed here it goes the way of any
   * other.
   */
  private static void complete(Request failed) {
    try {
      failed.action(ActionCode.ASYNC_COMPLETE, null);
    } catch (IllegalStateException completed) {
      // By the application, or dispatched.
    }
  }

  /** Tomcat is done with the exchange of {@code processor}, if that is a stream's. */
  static void done(Processor processor) {
    Request request = processor.getRequest();
    if (request != null && request.getNote(NOTE) instanceof Exchange exchange) {
      request.setNote(NOTE, null);
      exchange.end();
    }
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent event)
      throws Exception {
    // Of an earlier failure, which a listener has answered by this dispatch.
    Object before = failure(request);
    boolean goesOn = adapter.asyncDispatch(request, response, event);
    completeIfFailed(request, before);
    return goesOn;
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
