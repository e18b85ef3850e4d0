package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.UpgradeProtocol;
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
 * that Tomcat sends behind the request's back could not be waited for. Does what its superclass
 * does until a {@link TomcatServer} drains it.
 */
public final class LastcallProtocol extends Http11NioProtocol {
  /** Creates the protocol with an endpoint of its own. */
  public LastcallProtocol() {
    this(FirstRequest::new);
  }

  /**
   * @param firstRequests begins, for each connection, to await its first request
   */
  LastcallProtocol(Supplier<FirstRequest> firstRequests) {
    super(new DrainingEndpoint(firstRequests));
    Handler handler = new Handler(this, endpoint().ledger());
    setHandler(handler);
    endpoint().setHandler(handler);
  }

  DrainingEndpoint endpoint() {
    return (DrainingEndpoint) getEndpoint();
  }

  /**
   * @throws IllegalStateException if it runs already, and something of it cannot be drained without
   *     loss
   */
  void serve(RequestGate gate) {
    if (endpoint().isRunning()) {
      refuseWhatCannotBeDrained();
    }
    endpoint().ledger().serve(gate);
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
    if (endpoint().ledger().isServed()) {
      refuseWhatCannotBeDrained();
    }
    super.start();
  }

  private void refuseWhatCannotBeDrained() {
    refuse("unixDomainSocketPath", endpoint().getUnixDomainSocketPath(), null);
    for (UpgradeProtocol upgrade : findUpgradeProtocols()) {
      if (upgrade instanceof Http2Protocol) {
        refuse("UpgradeProtocol", upgrade.getClass(), LastcallHttp2Protocol.class);
        refuse("useAsyncIO", endpoint().getUseAsyncIO(), true);
      }
    }
  }

  private static void refuse(String name, @Nullable Object value, @Nullable Object allowed) {
    if (!Objects.equals(value, allowed)) {
      throw new IllegalStateException(
          "%s=%s cannot be drained without loss; allowed is %s"
              .formatted(name, value, allowed == null ? "none" : allowed));
    }
  }

  /**
   * Tomcat asks behind each request's head; 1 makes that request the last. This also marks what the
   * filter never sees: probes, other applications, malformed requests. Not an Upgrade request: its
   * 101 would carry close next to {@code upgrade}, which clients refuse. If it is answered
   * otherwise, the filter marks the answer.
   */
  @Override
  public int getMaxKeepAliveRequests() {
    ConnectionLedger ledger = endpoint().ledger();
    ledger.parsed();
    return ledger.shouldCloseConnection() && CurrentWork.staysHttp()
        ? 1
        : super.getMaxKeepAliveRequests();
  }

  /**
   * Tomcat asks right before it decides how a body ends, and behind {@code Connection: close} has
   * the end of the connection end it, so that what is cut looks whole; but in chunks, if there may
   * be trailers. The filter cannot say so of what is compressed below it, nor of error pages, nor
   * know what is to fit the buffer.
   */
  @Override
  public boolean useCompression(Request request, Response response) {
    boolean compressed = super.useCompression(request, response);
    if (endpoint().ledger().mayCloseConnections()
        && response.getContentLengthLong() < 0
        && response.getTrailerFields() == null
        && mayBeChunked(request)) {
      response.setTrailerFields(Map::of);
    }
    return compressed;
  }

  private static boolean mayBeChunked(Request request) {
    return request.getNote(CoyoteAdapter.ADAPTER_NOTES) instanceof HttpServletRequest known
        && "HTTP/1.1".equals(known.getProtocol())
        && !"HEAD".equals(known.getMethod());
  }

  @Override
  protected Processor createProcessor() {
    return new TellingProcessor(this);
  }

  /** Tells the ledger whose head it parses, once responses may say close. */
  private static final class TellingProcessor extends Http11Processor {
    private final ConnectionLedger ledger;

    TellingProcessor(LastcallProtocol protocol) {
      super(protocol, protocol.getAdapter());
      this.ledger = protocol.endpoint().ledger();
    }

    @Override
    public SocketState service(SocketWrapperBase<?> wrapper) throws IOException {
      ledger.parsing(request);
      return super.service(wrapper);
    }

    /**
     * What fails while it starts async Tomcat 11.0.25 and 10.1.55 leave without an end: their next
     * step drops the connection, without an answer. Completed it has its 500.
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
    endpoint().ledger().upgraded(wrapper);
    return super.createUpgradeProcessor(wrapper, token);
  }

  /** Among others, Tomcat calls this when it is done with a stream. */
  @Override
  public void removeWaitingProcessor(Processor processor) {
    super.removeWaitingProcessor(processor);
    ExchangeCounter.done(processor);
  }

  /**
   * Tomcat calls both methods with the connection's lock held, so never at once for one; but the
   * first one maybe from within itself.
   */
  private static final class Handler extends ConnectionHandler<NioChannel> {
    private final ConnectionLedger ledger;

    Handler(LastcallProtocol protocol, ConnectionLedger ledger) {
      super(protocol);
      this.ledger = ledger;
    }

    @Override
    public SocketState process(SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
      if (ledger.isHalfClosed(wrapper)
          && !(wrapper.getCurrentProcessor() instanceof Processor processor
              && processor.isUpgrade())) {
        return event == SocketEvent.OPEN_READ && TomcatConnection.discardInput(wrapper)
            ? SocketState.OPEN
            : SocketState.CLOSED;
      }
      if (!ledger.taken(wrapper)) {
        return super.process(wrapper, event);
      }
      SocketState state = SocketState.CLOSED;
      try {
        state = super.process(wrapper, event);
        if (state == SocketState.CLOSED && TomcatConnection.linger(wrapper, ledger)) {
          state = SocketState.OPEN;
        }
        return state;
      } finally {
        ledger.done(wrapper, state);
      }
    }

    @Override
    public void release(SocketWrapperBase<NioChannel> wrapper) {
      super.release(wrapper);
      ledger.closed(wrapper);
    }
  }
}
