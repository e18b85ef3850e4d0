package io.lastcall.servlet;

import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.Permit;
import io.lastcall.time.Ticker;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response. The permit ends once, by whichever comes first: the chain has
 * returned and nothing asynchronous was started, or the {@linkplain AsyncPart asynchronous part} is
 * complete.
 */
final class Exchange extends Permit {
  private static final String ATTRIBUTE = Exchange.class.getName();
  private static final Ticker TICKER = Ticker.system();

  private final ShutdownFilter filter;
  private final String method;
  private final String path;

  private final long start = TICKER.read();

  /** Plain: the report asks for it of requests that are stuck, whose thread has long been set. */
  private @Nullable Thread thread = Thread.currentThread();

  /** Plain: another thread that ends the exchange has been handed it after {@link #begin}. */
  private @Nullable MarkedResponse response;

  /**
   * Not volatile. Writer and reader both call {@link #release()}, an atomic swap, in between: the
   * second one sees the write of the first.
   */
  private boolean ended;

  /** Set where async starts. */
  private volatile @Nullable AsyncPart async;

  private boolean longLived;

  /** The application has said that its response ends by itself. */
  private volatile boolean finite;

  private volatile @Nullable Registration registration;

  Exchange(ShutdownFilter filter, String method, String path) {
    this.filter = filter;
    this.method = method;
    this.path = path;
  }

  /** Returns the exchange that a request belongs to, if the filter has seen it. */
  static @Nullable Exchange of(ServletRequest request) {
    Exchange exchange = wrapping(request);
    return exchange == null ? (Exchange) request.getAttribute(ATTRIBUTE) : exchange;
  }

  /** As {@link #of}, within the chain that begins with the filter. */
  static @Nullable Exchange wrapping(ServletRequest request) {
    ServletRequest inner = request;
    while (inner instanceof ServletRequestWrapper wrapper) {
      if (wrapper instanceof CountedRequest counted) {
        return counted.exchange();
      }
      inner = wrapper.getRequest();
    }
    return null;
  }

  /**
   * Makes the exchange known by the container's own request, which is what a connector has, and the
   * next dispatch after an asynchronous start or an error. Not for each request: it costs a map.
   */
  void attachTo(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  MarkedResponse begin(HttpServletRequest request, HttpServletResponse plain) {
    MarkedResponse marked = new MarkedResponse(request, plain, filter.gate(), this);
    response = marked;
    return marked;
  }

  void asyncStarted(HttpServletRequest request, AsyncContext context) {
    // Any further start is the container's to tell, by AsyncPart.onStartAsync.
    if (async == null) {
      async = new AsyncPart(this, context);
      attachTo(request);
      filter.adapters().forEach(adapter -> adapter.async(request, this::over));
    }
  }

  /** On the request's thread, when its chain is through. */
  void chainReturned(HttpServletRequest request, boolean failed) {
    thread = null;
    if (failed) {
      attachTo(request);
    }
    if (async == null && request.isAsyncStarted()) {
      startedUnseen(request);
    }
    AsyncPart known = async;
    if (known != null) {
      known.listen();
    }
    // A chain that throws after startAsync() is answered as one that has not called it; by Tomcat
    // 11.0 not at all.
    if (failed || known == null) {
      end(failed);
    }
  }

  /** Async was started on the container's own request, unseen; it may have ended by now. */
  private void startedUnseen(HttpServletRequest request) {
    try {
      asyncStarted(request, request.getAsyncContext());
    } catch (IllegalStateException alreadyComplete) {
      // Then it ends here.
    }
  }

  /**
   * A write has failed, so nothing more will be sent. A synchronous request still ends with its
   * chain. An asynchronous one ends here: Tomcat 11.0 calls no listener if the failure comes while
   * the starting thread is leaving the container.
   */
  void undeliverable() {
    if (async != null) {
      over();
    }
  }

  /** Only an asynchronous one: the response of any other is its thread's alone. */
  @Override
  protected boolean giveUp() {
    MarkedResponse marked = async == null ? null : response;
    if (marked == null || marked.isCommitted()) {
      return false;
    }
    marked.reset();
    ShutdownFilter.setRefusal(marked.request, marked);
    marked.request.getAsyncContext().complete();
    return true;
  }

  @Override
  protected boolean isClientGone() {
    MarkedResponse marked = response;
    return marked != null
        && filter.adapters().stream().anyMatch(adapter -> adapter.isClientGone(marked.request));
  }

  /**
   * Only the first call sends anything.
   *
   * @param unfinished whether the container is to finish the response, after an error say
   */
  void end(boolean unfinished) {
    MarkedResponse marked = response;
    try {
      if (marked != null && !ended) {
        finish(marked, unfinished);
      }
    } finally {
      over();
    }
  }

  /** As {@link #end}, where nothing can be sent. */
  void over() {
    MarkedResponse marked = response;
    if (marked != null) {
      marked.over();
    }
    ended = true;
    release();
    deregister();
  }

  /** An error page is the container's to write: it may reset what is not committed. */
  private void finish(MarkedResponse marked, boolean unfinished) {
    marked.mark(true);
    if (!unfinished && !marked.expectsErrorPage() && filter.gate().isEnding()) {
      marked.finish();
    }
  }

  /** Before its head says so. */
  void becomeEventStream() {
    MarkedResponse marked = response;
    if (marked != null) {
      marked.becomeEventStream();
    }
  }

  boolean isFinite() {
    return finite;
  }

  /** Returns false if it is long-lived already: DRAIN does not wait for it any more. */
  synchronized boolean becomeFinite() {
    finite = !longLived;
    return finite;
  }

  /** From now on not in flight, but to be told to end. Only the first call counts. */
  void becomeLongLived(HttpServletRequest request, LongLivedConnection connection) {
    if (ended || !markLongLived()) {
      return;
    }
    attachTo(request);
    // Registered first, then released: at every instant one of the two knows of it.
    registration = filter.connections().register(connection);
    release();
    if (ended) {
      deregister();
    } else {
      filter.adapters().forEach(adapter -> adapter.longLived(request));
    }
  }

  /** Not an atomic object, which every request would pay for. */
  private synchronized boolean markLongLived() {
    boolean first = !longLived;
    longLived = true;
    return first;
  }

  private void deregister() {
    Registration known = registration;
    if (known != null) {
      known.closed();
    }
  }

  @Override
  protected String description() {
    return method + ' ' + path;
  }

  @Override
  protected Optional<Duration> age() {
    return Optional.of(Duration.ofNanos(TICKER.read() - start));
  }

  @Override
  protected Optional<Thread> thread() {
    return Optional.ofNullable(thread);
  }
}
