package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Sees where async starts: after the chain has returned it may be complete already. {@link
 * #startAsync()} hands on the wrapped response, since the original one would be committed unseen.
 */
final class CountedRequest extends HttpServletRequestWrapper {
  private final MarkedResponse response;
  private final Exchange exchange;
  private @Nullable AsyncContext original;
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
    original = original(startAsync(this, response));
    return original;
  }

  /**
   * Says that the application has passed no request and response of its own, which is true: Tomcat
   * asks before it removes its wrapper of an include or a dispatch again.
   */
  private static AsyncContext original(AsyncContext container) {
    return (AsyncContext)
        Proxy.newProxyInstance(
            CountedRequest.class.getClassLoader(),
            new Class<?>[] {AsyncContext.class},
            (proxy, method, arguments) ->
                method.getName().equals("hasOriginalRequestAndResponse")
                    ? true
                    : invoke(method, container, arguments));
  }

  private static @Nullable Object invoke(
      Method method, AsyncContext container, @Nullable Object[] arguments) throws Throwable {
    try {
      return method.invoke(container, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  @Override
  public AsyncContext getAsyncContext() {
    AsyncContext container = super.getAsyncContext();
    AsyncContext known = original;
    return known == null ? container : known;
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

  /** Jetty, dispatching a wrapped request, adds the query's parameters to those there are. */
  @Override
  public @Nullable String getQueryString() {
    return starting ? null : super.getQueryString();
  }
}
