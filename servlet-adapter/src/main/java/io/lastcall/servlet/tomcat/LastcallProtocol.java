package io.lastcall.servlet.tomcat;

import io.lastcall.inflight.RequestGate;
import io.lastcall.servlet.ContainerInternals;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.UpgradeToken;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/1.1 NIO protocol with what a drain needs to know of its connections. Give it to a
 * connector, {@code new Connector(new LastcallProtocol())}, or name the class where a name is asked
 * for; everything else is configured as ever, except for {@code useSendfile}, which is off: a file
 * that Tomcat sends after the request has ended could not be waited for. Does what its superclass
 * does until a {@link TomcatServer} drains it.
 */
public final class LastcallProtocol extends Http11NioProtocol {
  /** Where a request, Catalina's as Coyote's, has its connection or its exchange on that. */
  static final String ATTRIBUTE = LastcallProtocol.class.getName();

  /** The same, where it outlasts the request; Tomcat leaves 17 to 31 to others. */
  static final int NOTE = 17;

  /** What this thread parses heads into, while responses may say close. */
  private static final ThreadLocal<Request> PARSING = new ThreadLocal<>();

  private volatile boolean mayBeCoarse;

  /** With an endpoint of its own. */
  public LastcallProtocol() {
    super(new DrainingEndpoint());
    Handler handler = new Handler(this);
    setHandler(handler);
    endpoint().setHandler(handler);
  }

  DrainingEndpoint endpoint() {
    return (DrainingEndpoint) getEndpoint();
  }

  /**
   * @param mayBeCoarse whether it starts, and has the coarse role, if something of it cannot be
   *     drained without loss
   * @throws IllegalStateException if it runs already, and something of it cannot be, and it may not
   */
  void serve(RequestGate gate, boolean mayBeCoarse) {
    this.mayBeCoarse = mayBeCoarse;
    endpoint().serve(gate);
    if (endpoint().isRunning()) {
      refuseWhatCannotBeDrained();
    }
  }

  /**
   * Starts it. A {@code Connector} logs what this throws and does not serve, unless it is told to
   * throw on failure.
   *
   * @throws IllegalStateException if it is to be drained, and something of it cannot be without
   *     loss
   */
  @Override
  public void start() throws Exception {
    if (endpoint().isServed()) {
      refuseWhatCannotBeDrained();
    }
    super.start();
  }

  private void refuseWhatCannotBeDrained() {
    obstacle()
        .ifPresent(
            obstacle -> {
              endpoint().serveCoarsely();
              ContainerInternals.refuseOrWarn(obstacle, getName(), mayBeCoarse);
            });
  }

  /** Says what cannot be drained without loss, and what is allowed, if anything is like that. */
  private Optional<String> obstacle() {
    Stream<Optional<String>> http2 =
        Stream.of(findUpgradeProtocols())
            .filter(Http2Protocol.class::isInstance)
            .flatMap(
                upgrade ->
                    Stream.of(
                        unless(LastcallHttp2Protocol.class, "UpgradeProtocol", upgrade.getClass()),
                        unless(true, "useAsyncIO", endpoint().getUseAsyncIO())));
    return Stream.concat(
            Stream.of(unless(null, "unixDomainSocketPath", endpoint().getUnixDomainSocketPath())),
            http2)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> unless(
      @Nullable Object allowed, String name, @Nullable Object value) {
    return Objects.equals(value, allowed)
        ? Optional.empty()
        : Optional.of(
            "%s=%s cannot be drained without loss; allowed is %s"
                .formatted(name, value, allowed == null ? "none" : allowed));
  }

  /**
   * Tomcat asks after each request's head; 1 makes that request the last. This also marks what the
   * filter never sees: probes, other applications, malformed requests. Not an Upgrade request: its
   * 101 would carry close next to {@code upgrade}, which clients refuse. If it is answered
   * otherwise, the filter marks the answer.
   */
  @Override
  public int getMaxKeepAliveRequests() {
    RequestGate gate = endpoint().gate();
    if (gate.mayCloseConnections()) {
      @Nullable Request parsed = PARSING.get();
      if (parsed != null
          && parsed.getHeader("Upgrade") == null
          && gate.shouldCloseConnection(parsed.getRequestId())) {
        return 1;
      }
    }
    return super.getMaxKeepAliveRequests();
  }

  /** Tomcat asks right before it decides how a body ends: see {@code MarkedHead.keepChunked}. */
  @Override
  public boolean useCompression(Request request, Response response) {
    boolean compressed = super.useCompression(request, response);
    if (endpoint().gate().mayCloseConnections()
        && response.getContentLengthLong() < 0
        && response.getTrailerFields() == null
        && request.getNote(CoyoteAdapter.ADAPTER_NOTES) instanceof HttpServletRequest known
        && "HTTP/1.1".equals(known.getProtocol())
        && !"HEAD".equals(known.getMethod())) {
      response.setTrailerFields(Map::of);
    }
    return compressed;
  }

  @Override
  protected Processor createProcessor() {
    return new ConnectionProcessor(this);
  }

  private static void requested(Request parsed) {
    if (parsed.getNote(NOTE) instanceof TomcatConnection connection) {
      connection.requested();
      parsed.setAttribute(ATTRIBUTE, connection);
    }
  }

  private static void serving(Request request, boolean on) {
    if (request.getNote(NOTE) instanceof TomcatConnection connection) {
      connection.serving(on);
    }
  }

  /** Its requests know their connection, and the protocol what is parsed while it leaves. */
  private static final class ConnectionProcessor extends Http11Processor {
    private final DrainingEndpoint endpoint;

    ConnectionProcessor(LastcallProtocol protocol) {
      super(
          protocol,
          new RequestAdapter(
              protocol.getAdapter(), LastcallProtocol::requested, LastcallProtocol::serving));
      this.endpoint = protocol.endpoint();
    }

    @Override
    public SocketState service(SocketWrapperBase<?> wrapper) throws IOException {
      request.setNote(NOTE, endpoint.isServed() ? endpoint.connection(wrapper) : null);
      if (!endpoint.gate().mayCloseConnections()) {
        return super.service(wrapper);
      }
      PARSING.set(request);
      try {
        return super.service(wrapper);
      } finally {
        PARSING.remove();
      }
    }

    /**
     * What fails while it starts async Tomcat 11.0.25 and 10.1.55 leave without an end: their next
     * step drops the connection, and no listener hears of it. Completed it has its 500.
     */
    @Override
    public SocketState asyncPostProcess() throws IOException {
      try {
        return super.asyncPostProcess();
      } catch (IllegalStateException leftInError) {
        request.action(ActionCode.ASYNC_COMPLETE, null);
        return super.asyncPostProcess();
      }
    }
  }

  @Override
  protected Processor createUpgradeProcessor(SocketWrapperBase<?> wrapper, UpgradeToken token) {
    if (endpoint().isServed()) {
      endpoint().connection(wrapper).upgrade();
    }
    return super.createUpgradeProcessor(wrapper, token);
  }

  /** Among others, Tomcat calls this when it is done with a stream. */
  @Override
  public void removeWaitingProcessor(Processor processor) {
    super.removeWaitingProcessor(processor);
    LastcallHttp2Protocol.ExchangeCounter.done(processor);
  }

  /** Called with the connection's lock held; {@code process} maybe from within itself. */
  private static final class Handler extends ConnectionHandler<NioChannel> {
    private final DrainingEndpoint endpoint;

    Handler(LastcallProtocol protocol) {
      super(protocol);
      this.endpoint = protocol.endpoint();
    }

    @Override
    public SocketState process(SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
      if (!endpoint.isServed()) {
        return super.process(wrapper, event);
      }
      TomcatConnection connection = endpoint.connection(wrapper);
      SocketState discarded = connection.discard(event);
      if (discarded != null) {
        return discarded;
      }
      if (!connection.taken()) {
        return super.process(wrapper, event);
      }
      SocketState state = SocketState.CLOSED;
      try {
        state = super.process(wrapper, event);
        if (state == SocketState.CLOSED && connection.linger()) {
          state = SocketState.OPEN;
        }
        return state;
      } finally {
        connection.done(state);
      }
    }

    @Override
    public void release(SocketWrapperBase<NioChannel> wrapper) {
      super.release(wrapper);
      endpoint.closed(wrapper);
    }
  }
}
