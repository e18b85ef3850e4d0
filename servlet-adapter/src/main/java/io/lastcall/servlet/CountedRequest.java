package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Sees where async starts: after the chain has returned it may be over already. {@link
 * #startAsync()} hands on the wrapped response, since the original one would be committed unseen;
 * for the rest its context is one that was given none, by {@link OriginalContext}.
 */
final class CountedRequest extends HttpServletRequestWrapper {
  private final MarkedResponse response;
  private final Exchange exchange;
  private @Nullable OriginalContext original;
  private boolean starting;

  /** Plain: a thread looks only for itself. */
  private @Nullable Thread dispatching;

  CountedRequest(HttpServletRequest request, MarkedResponse response, Exchange exchange) {
    super(request);
    this.response = response;
    this.exchange = exchange;
  }

  Exchange exchange() {
    return exchange;
  }

  @Override
  public AsyncContext startAsync() {
    AsyncContext container = startAsync(this, response);
    OriginalContext context = new OriginalContext(container, this);
    original = context;
    return context;
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse to) {
    AsyncContext context;
    starting = true;
    try {
      context = super.startAsync(request, to);
    } finally {
      starting = false;
    }
    original = null;
    exchange.asyncStarted(this, context);
    return context;
  }

  @Override
  public AsyncContext getAsyncContext() {
    AsyncContext container = super.getAsyncContext();
    OriginalContext known = original;
    return known != null && known.isOf(container) ? known : container;
  }

  /**
   * Dispatches to where the request came to. Tomcat and Undertow ask us for that within the call,
   * and a forward would say where it went; Jetty has asked at the start.
   */
  void dispatchToOriginal(AsyncContext container) {
    dispatching = Thread.currentThread();
    try {
      container.dispatch();
    } finally {
      dispatching = null;
    }
  }

  private boolean isDispatching() {
    return dispatching == Thread.currentThread();
  }

  @Override
  public String getRequestURI() {
    return isDispatching() ? uri() : super.getRequestURI();
  }

  /** Jetty, dispatching a wrapped request, adds the query's parameters to those there are. */
  @Override
  public @Nullable String getQueryString() {
    if (starting) {
      return null;
    }
    return isDispatching() ? query() : super.getQueryString();
  }

  /** A forward changes Undertow's request, and not Tomcat's, which knows nothing of it. */
  private String uri() {
    HttpServletRequest plain = response.request();
    @Nullable Object forwarded = plain.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI);
    return forwarded == null ? plain.getRequestURI() : (String) forwarded;
  }

  private @Nullable String query() {
    HttpServletRequest plain = response.request();
    return plain.getAttribute(RequestDispatcher.FORWARD_REQUEST_URI) == null
        ? plain.getQueryString()
        : (String) plain.getAttribute(RequestDispatcher.FORWARD_QUERY_STRING);
  }
}
