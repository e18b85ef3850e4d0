package io.lastcall.spring;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/** Counts the requests of Actuator's own port, until they are complete where asynchronous. */
record ManagementFilter(ManagementRequests requests) implements Filter {
  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest http = (HttpServletRequest) request;
    Runnable end = requests.begin(http.getMethod(), http.getRequestURI());
    boolean later = false;
    try {
      chain.doFilter(request, response);
      later = request.isAsyncStarted() && follow(request, end);
    } finally {
      if (!later) {
        end.run();
      }
    }
  }

  /** Returns false where it is complete already. */
  private static boolean follow(ServletRequest request, Runnable end) {
    try {
      request.getAsyncContext().addListener(new End(end));
      return true;
    } catch (IllegalStateException complete) {
      return false;
    }
  }

  private record End(Runnable end) implements AsyncListener {
    @Override
    public void onComplete(AsyncEvent event) {
      end.run();
    }

    /** Completes after that. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    /** A second start drops the listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
