package io.lastcall.servlet.tomcat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Stands before Tomcat's adapter and counts the exchanges of one HTTP/2 connection: from the
 * request's way to the application until Tomcat is done with it, its last frame written. Tomcat's
 * own number of active streams goes down just before that write. Counts apart those that have
 * become streams of events, or other long-lived ones.
 */
final class ExchangeCounter implements Adapter {
  /** Where a request has its counter; Tomcat leaves 17 to 31 to others. */
  private static final int NOTE = 17;

  private final Adapter adapter;
  private final AtomicInteger open = new AtomicInteger();

  /** Ids of requests. */
  private final Set<String> longLived = ConcurrentHashMap.newKeySet();

  /** Set before the first exchange. */
  private Runnable onEnd = () -> {};

  ExchangeCounter(Adapter adapter) {
    this.adapter = adapter;
  }

  /** From now on {@code action} runs after each exchange, on the thread that ended it. */
  void onEnd(Runnable action) {
    onEnd = action;
  }

  int open() {
    return open.get();
  }

  int longLived() {
    return longLived.size();
  }

  /** From a thread of the application's, maybe. */
  void becameLongLived(String requestId) {
    longLived.add(requestId);
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    open.incrementAndGet();
    request.setNote(NOTE, this);
    adapter.service(request, response);
  }

  /** Tomcat is done with the exchange of {@code processor}, if that is a stream's. */
  static void done(Processor processor) {
    Request request = processor.getRequest();
    if (request != null && request.getNote(NOTE) instanceof ExchangeCounter counter) {
      request.setNote(NOTE, null);
      // In this order: a long-lived one counts as any other in between.
      if (!counter.longLived.isEmpty()) {
        counter.longLived.remove(request.getRequestId());
      }
      counter.open.decrementAndGet();
      counter.onEnd.run();
    }
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent event)
      throws Exception {
    return adapter.asyncDispatch(request, response, event);
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
