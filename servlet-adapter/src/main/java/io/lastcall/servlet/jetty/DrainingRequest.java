package io.lastcall.servlet.jetty;

import io.lastcall.servlet.ContainerAdapter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request on a connection that may be drained. Its stream is wrapped once there is something to
 * see there: in the beginning while the server leaves, or where it may be an upgrade; else when the
 * filter has something to tell of it. A request that comes and goes before has no wrapper.
 */
final class DrainingRequest extends Request.Wrapper {
  private static final String ATTRIBUTE = DrainingRequest.class.getName();

  private final DrainingEndPoint endPoint;
  private final boolean http1;
  private @Nullable DrainingStream stream;

  private DrainingRequest(Request request, DrainingEndPoint endPoint, boolean http1) {
    super(request);
    this.endPoint = endPoint;
    this.http1 = http1;
  }

  /** Has a connection factory make its requests such, once. */
  static void install(HttpConfiguration configuration) {
    if (configuration.getCustomizer(Customizer.class) == null) {
      configuration.addCustomizer(new Customizer());
    }
  }

  private static final class Customizer implements HttpConfiguration.Customizer {
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
      ConnectionMetaData connection = request.getConnectionMetaData();
      DrainingEndPoint endPoint = DrainingEndPoint.of(connection.getConnection().getEndPoint());
      if (endPoint == null || !endPoint.ledger().isServed()) {
        return request;
      }
      endPoint.requested();
      boolean http1 = connection.getHttpVersion().getVersion() <= HttpVersion.HTTP_1_1.getVersion();
      DrainingRequest draining = new DrainingRequest(request, endPoint, http1);
      if (endPoint.ledger().mayCloseConnections() || (http1 && mayUpgrade(request))) {
        draining.wrapStream();
      }
      return draining;
    }

    private static boolean mayUpgrade(Request request) {
      return request.getHeaders().contains(HttpHeader.UPGRADE)
          || HttpMethod.CONNECT.is(request.getMethod());
    }
  }

  /** Finds the request below a servlet's, and tells its stream. */
  static final class Adapter implements ContainerAdapter {
    @Override
    public void longLived(HttpServletRequest request) {
      tell(request, DrainingStream::begin);
    }

    @Override
    public void errorPageToCome(HttpServletRequest request) {
      tell(request, DrainingStream::awaitErrorPage);
    }

    @Override
    public void async(HttpServletRequest request, Runnable over) {
      tell(request, stream -> stream.async(over));
    }

    /** By the stream, which begins to look by that. */
    @Override
    public boolean isFramedAtCommit(HttpServletRequest request) {
      return tell(request, stream -> {});
    }

    private static boolean tell(HttpServletRequest request, Consumer<DrainingStream> news) {
      DrainingRequest draining = of(request);
      DrainingStream stream = draining == null ? null : draining.wrapStream();
      if (stream != null) {
        news.accept(stream);
      }
      return stream != null;
    }

    @Override
    public long acceptTime(HttpServletRequest request) {
      DrainingRequest draining = of(request);
      return draining == null ? -1 : draining.endPoint.acceptTime();
    }

    @Override
    public boolean knowsBegin() {
      return true;
    }

    /** When its first byte was read. */
    @Override
    public OptionalLong begun(HttpServletRequest request) {
      DrainingRequest draining = of(request);
      return draining == null ? OptionalLong.empty() : OptionalLong.of(draining.getBeginNanoTime());
    }
  }

  private static @Nullable DrainingRequest of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof DrainingRequest draining ? draining : null;
  }

  /** Itself, without the map that an attribute would cost each request. */
  @Override
  public @Nullable Object getAttribute(String name) {
    return name.equals(ATTRIBUTE) ? this : super.getAttribute(name);
  }

  /** Returns the wrapper; null if the request is over without one. */
  private synchronized @Nullable DrainingStream wrapStream() {
    if (stream == null) {
      try {
        addHttpStreamWrapper(
            wrapped -> {
              DrainingStream wrapper = new DrainingStream(wrapped, getWrapped(), endPoint, http1);
              stream = wrapper;
              return wrapper;
            });
      } catch (IllegalStateException over) {
        // Whoever tells of it comes too late.
      }
    }
    return stream;
  }
}
