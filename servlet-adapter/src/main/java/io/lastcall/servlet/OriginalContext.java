package io.lastcall.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * What {@code startAsync()} returns: the container was given our request and response, and the
 * application gave it none. Tomcat asks for that before it takes its own wrapper of a forward or an
 * include away again.
 */
final class OriginalContext implements AsyncContext {
  private final AsyncContext container;
  private final CountedRequest request;

  OriginalContext(AsyncContext container, CountedRequest request) {
    this.container = container;
    this.request = request;
  }

  boolean isOf(AsyncContext other) {
    return container == other;
  }

  @Override
  public boolean hasOriginalRequestAndResponse() {
    return true;
  }

  @Override
  public void dispatch() {
    request.dispatchToOriginal(container);
  }

  @Override
  public void dispatch(String path) {
    container.dispatch(path);
  }

  @Override
  public void dispatch(ServletContext context, String path) {
    container.dispatch(context, path);
  }

  @Override
  public ServletRequest getRequest() {
    return container.getRequest();
  }

  @Override
  public ServletResponse getResponse() {
    return container.getResponse();
  }

  @Override
  public void complete() {
    container.complete();
  }

  @Override
  public void start(Runnable task) {
    container.start(task);
  }

  @Override
  public void addListener(AsyncListener listener) {
    container.addListener(listener);
  }

  @Override
  public void addListener(
      AsyncListener listener, ServletRequest supplied, ServletResponse response) {
    container.addListener(listener, supplied, response);
  }

  @Override
  public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
    return container.createListener(type);
  }

  @Override
  public void setTimeout(long millis) {
    container.setTimeout(millis);
  }

  @Override
  public long getTimeout() {
    return container.getTimeout();
  }
}
