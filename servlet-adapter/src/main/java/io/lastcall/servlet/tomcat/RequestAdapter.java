package io.lastcall.servlet.tomcat;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/** Stands before Tomcat's adapter, and sees each request on its way to the application. */
final class RequestAdapter implements Adapter {
  private final Adapter adapter;
  private final Consumer<Request> onRequest;
  private final BiConsumer<Request, Boolean> serving;

  /**
   * @param serving is told as the adapter has a request, and when it has it no more
   */
  RequestAdapter(
      Adapter adapter, Consumer<Request> onRequest, BiConsumer<Request, Boolean> serving) {
    this.adapter = adapter;
    this.onRequest = onRequest;
    this.serving = serving;
  }

  @Override
  public void service(Request request, Response response) throws Exception {
    onRequest.accept(request);
    serving.accept(request, true);
    try {
      adapter.service(request, response);
    } finally {
      serving.accept(request, false);
    }
  }

  @Override
  public boolean asyncDispatch(Request request, Response response, SocketEvent event)
      throws Exception {
    serving.accept(request, true);
    try {
      return adapter.asyncDispatch(request, response, event);
    } finally {
      serving.accept(request, false);
    }
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
