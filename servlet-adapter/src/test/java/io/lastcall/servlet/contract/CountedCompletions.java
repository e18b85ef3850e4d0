package io.lastcall.servlet.contract;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** In front of our filter: sees how many listeners that adds, by what they hear in the end. */
final class CountedCompletions implements Filter {
  private final AtomicInteger completions = new AtomicInteger();

  int count() {
    return completions.get();
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    chain.doFilter(new Request((HttpServletRequest) request), response);
  }

  private AsyncContext counted(AsyncContext context) {
    return (AsyncContext)
        Proxy.newProxyInstance(
            CountedCompletions.class.getClassLoader(),
            new Class<?>[] {AsyncContext.class},
            (proxy, method, args) -> {
              if (method.getName().equals("addListener")) {
                args[0] = new Listener((AsyncListener) args[0]);
              }
              try {
                return method.invoke(context, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private final class Request extends HttpServletRequestWrapper {
    Request(HttpServletRequest request) {
      super(request);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
      return counted(super.startAsync(request, response));
    }

    @Override
    public AsyncContext getAsyncContext() {
      return counted(super.getAsyncContext());
    }
  }

  private final class Listener implements AsyncListener {
    private final AsyncListener listener;

    Listener(AsyncListener listener) {
      this.listener = listener;
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
      completions.getAndIncrement();
      listener.onComplete(event);
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
      listener.onTimeout(event);
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
      listener.onError(event);
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
      listener.onStartAsync(new AsyncEvent(counted(event.getAsyncContext())));
    }
  }
}
