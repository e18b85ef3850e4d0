package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * Sees where async starts: after the chain has returned it may be over already. {@link
 * #startAsync()} hands on the wrapped response, since the original one would be committed unseen.
 */
final class CountedRequest extends HttpServletRequestWrapper {
  private final MarkedResponse response;
  private final Exchange exchange;

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
    AsyncContext context = super.startAsync(request, to);
    exchange.asyncStarted(this, context);
    return context;
  }
}
