package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Sees where async starts: after the chain has returned it may be over already. {@link
 * #startAsync()} hands on the wrapped response, since the original one would be committed unseen.
 */
final class CountedRequest extends HttpServletRequestWrapper {
  private final MarkedResponse response;
  private final Exchange exchange;
  private boolean starting;

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
    return startAsync(this, response);
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
    exchange.asyncStarted(this, context);
    return context;
  }

  /** Jetty, dispatching a wrapped request, adds the query's parameters to those there are. */
  @Override
  public @Nullable String getQueryString() {
    return starting ? null : super.getQueryString();
  }
}
