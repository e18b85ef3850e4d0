package io.lastcall.servlet;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.Probes;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Counts every request from its entry to its completed response, synchronous or not, marks
 * responses {@code Connection: close} when core asks for it, and refuses late requests when core
 * says so.
 *
 * <p>Register it first in the chain, for {@code /*}, with async supported, for the dispatcher types
 * REQUEST and ASYNC; it may be mapped for others too: dispatches of a request it has seen pass
 * through uncounted. Probes, {@code /prestop} and {@code /lameduck} are answered here, uncounted:
 * nothing of the application's comes before them.
 *
 * <p>A permit is released when the response has been handed to the container completely. Once a
 * shutdown has begun the filter finishes the response itself before that, except where an error
 * page is still to be written by the container: only the container knows when that has left. Thread
 * safe; the filter blocks nowhere and holds no threads.
 */
public final class ShutdownFilter implements Filter {
  private final RequestGate gate;
  private final ProbeAnswers probes;
  private final Connections connections;
  private final List<ContainerAdapter> adapters = new CopyOnWriteArrayList<>();
  private volatile boolean inPlace;

  /** Returns the filter of a shutdown: one for each server, since it knows its connections. */
  public static ShutdownFilter of(GracefulShutdown shutdown) {
    return new ShutdownFilter(shutdown.gate(), shutdown.probes(), shutdown.connections());
  }

  /**
   * @param gate what requests are counted by
   * @param probes what is answered on their paths
   * @param connections where event streams are registered
   */
  ShutdownFilter(RequestGate gate, Probes probes, Connections connections) {
    this.gate = gate;
    this.probes = new ProbeAnswers(probes);
    this.connections = connections;
  }

  /**
   * Called by the container as it starts an application that has the filter. A filter that wraps
   * this one passes it on.
   */
  @Override
  public void init(FilterConfig config) {
    inPlace = true;
  }

  /** Does nothing. Containers before Servlet 4.0 have no default of it. */
  @Override
  public void destroy() {
    // The shutdown outlives the application.
  }

  /** Returns whether a container has started an application with it, or it has seen a request. */
  public boolean isInPlace() {
    return inPlace;
  }

  @Override
  public void doFilter(ServletRequest req, ServletResponse res, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) req;
    HttpServletResponse response = (HttpServletResponse) res;
    if (!inPlace) {
      inPlace = true; // a filter that wraps this one has kept init() to itself
    }
    Exchange seen = seen(request);
    if (seen != null) {
      passOn(seen, request, response, chain);
      return;
    }
    String path = path(request);
    if (probes.isProbe(path)) {
      probes.answer(path, request, response, () -> probed(request));
      return;
    }
    if (gate.observesConnections()) {
      noteConnection(request);
    }
    Exchange exchange = new Exchange(this, request.getMethod(), path);
    if (gate.enter(exchange)) {
      serve(exchange, request, response, chain);
    } else {
      refuse(request, response);
    }
  }

  /**
   * Passes on a request that is no traffic, such as a health question that the application answers
   * itself: it is not counted, and no shutdown waits for it.
   */
  public void passUncounted(HttpServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    probed(request);
    chain.doFilter(request, response);
  }

  private void probed(HttpServletRequest request) {
    adapters.forEach(adapter -> adapter.probed(request));
  }

  private void noteConnection(HttpServletRequest request) {
    for (ContainerAdapter adapter : adapters) {
      @Nullable AcceptedConnection connection = adapter.accepted(request);
      if (connection != null) {
        gate.cameBy(connection);
      }
    }
  }

  /** Only a dispatch may come with the container's own request in place of ours. */
  private static @Nullable Exchange seen(HttpServletRequest request) {
    return request.getDispatcherType() == DispatcherType.REQUEST
        ? Exchange.wrapping(request)
        : Exchange.of(request);
  }

  private static void passOn(
      Exchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    boolean dispatched = request.getDispatcherType() == DispatcherType.ASYNC;
    boolean failed = true;
    try {
      chain.doFilter(request, response);
      failed = false;
    } finally {
      // Otherwise the container tells of the end; Jetty, of one after its head, does not.
      if (failed && dispatched && (request.isAsyncStarted() || response.isCommitted())) {
        exchange.end(true);
      }
    }
  }

  /** Adds an adapter, before the first request. */
  public void add(ContainerAdapter adapter) {
    adapters.add(adapter);
  }

  /** Returns the gate that this filter counts by. */
  public RequestGate gate() {
    return gate;
  }

  String[] probePatterns() {
    return probes.urlPatterns();
  }

  Connections connections() {
    return connections;
  }

  List<ContainerAdapter> adapters() {
    return adapters;
  }

  /** The permit is released whatever the chain throws, an Error included. */
  private static void serve(
      Exchange exchange,
      HttpServletRequest request,
      HttpServletResponse response,
      FilterChain chain)
      throws IOException, ServletException {
    boolean failed = true;
    try {
      MarkedResponse marked = exchange.begin(request, response);
      chain.doFilter(new CountedRequest(request, marked, exchange), marked);
      failed = false;
    } finally {
      exchange.chainReturned(request, failed);
    }
  }

  private static void refuse(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    setRefusal(request, response);
    response.flushBuffer();
  }

  static void setRefusal(HttpServletRequest request, HttpServletResponse response) {
    response.setStatus(RequestGate.REFUSED_STATUS);
    RequestGate.refusalHeaders(MarkedHead.isMultiplexed(request)).forEach(response::setHeader);
    response.setContentLength(0);
  }

  /**
   * Returns the path inside the application, decoded, by which servlets are mapped; or as it came,
   * where Jetty allows a URI, with a slash in disguise say, and refuses to tell that path.
   */
  public static String path(HttpServletRequest request) {
    try {
      @Nullable String info = request.getPathInfo();
      String servlet = request.getServletPath();
      return info == null ? servlet : servlet + info;
    } catch (IllegalArgumentException ambiguous) {
      return request.getRequestURI().substring(request.getContextPath().length());
    }
  }
}
