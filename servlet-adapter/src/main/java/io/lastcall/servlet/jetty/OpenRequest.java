package io.lastcall.servlet.jetty;

import io.lastcall.servlet.OpenRequests;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/** A request on a connector of the coarse role, known from its head to its completed response. */
final class OpenRequest extends Request.Wrapper {
  private static final String ATTRIBUTE = OpenRequest.class.getName();

  private OpenRequest(Request request) {
    super(request);
  }

  /**
   * Has a connector's requests followed from now on, or from its start on.
   *
   * @param coarse asked at each request: a connector may turn out exact, or not, as it starts
   */
  static OpenRequests follow(Connector connector, BooleanSupplier coarse) {
    OpenRequests requests = new OpenRequests(OpenRequest::below);
    Customizer customizer = new Customizer(connector, coarse, requests);
    if (connector.isRunning()) {
      install(connector, customizer);
    } else {
      connector.addEventListener(
          new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle starting) {
              install(connector, customizer);
            }
          });
    }
    return requests;
  }

  private static void install(Connector connector, Customizer customizer) {
    for (HttpConfiguration.ConnectionFactory factory :
        connector.getContainedBeans(HttpConfiguration.ConnectionFactory.class)) {
      HttpConfiguration configuration = factory.getHttpConfiguration();
      if (!configuration.getCustomizers().contains(customizer)) {
        configuration.addCustomizer(customizer);
      }
    }
  }

  private static @Nullable Object below(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE);
  }

  /** Itself, without the map that an attribute would cost each request. */
  @Override
  public @Nullable Object getAttribute(String name) {
    return name.equals(ATTRIBUTE) ? this : super.getAttribute(name);
  }

  private record Customizer(Connector connector, BooleanSupplier coarse, OpenRequests requests)
      implements HttpConfiguration.Customizer {
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
      // Connectors may share their configuration.
      if (request.getConnectionMetaData().getConnector() != connector || !coarse.getAsBoolean()) {
        return request;
      }
      OpenRequest open = new OpenRequest(request);
      requests.began(open);
      request.addHttpStreamWrapper(stream -> new Stream(stream, () -> requests.ended(open)));
      return open;
    }
  }

  private static final class Stream extends HttpStream.Wrapper {
    private final Runnable ended;

    Stream(HttpStream wrapped, Runnable ended) {
      super(wrapped);
      this.ended = ended;
    }

    /** After an upgrade the connection speaks another protocol, of which nothing is known here. */
    @Override
    public void send(
        MetaData.Request request,
        MetaData.@Nullable Response response,
        boolean last,
        ByteBuffer content,
        Callback callback) {
      if (response != null && response.getStatus() == HttpStatus.SWITCHING_PROTOCOLS_101) {
        ended.run();
      }
      super.send(request, response, last, content, callback);
    }

    @Override
    public void succeeded() {
      super.succeeded();
      ended.run();
    }

    @Override
    public void failed(Throwable failure) {
      super.failed(failure);
      ended.run();
    }
  }
}
