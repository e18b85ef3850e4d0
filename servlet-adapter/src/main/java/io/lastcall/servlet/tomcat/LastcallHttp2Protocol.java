package io.lastcall.servlet.tomcat;

import io.lastcall.inflight.AcceptedConnection;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.Adapter;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP/2 protocol, able to end a connection the way RFC 9113, section 6.8 describes: a
 * first GOAWAY that only announces, the last one when every stream is answered. Add it to a
 * connector of {@link LastcallProtocol} by {@code addUpgradeProtocol}. Needs asynchronous I/O,
 * which is Tomcat's default ({@code useAsyncIO}).
 */
public final class LastcallHttp2Protocol extends Http2Protocol {

  /** Creates the protocol with Tomcat's defaults. */
  public LastcallHttp2Protocol() {}

  /** No: Tomcat ends the request before the file has left, and says nothing when it has. */
  @Override
  public boolean getUseSendfile() {
    return false;
  }

  @Override
  public InternalHttpUpgradeHandler getInternalUpgradeHandler(
      SocketWrapperBase<?> wrapper, Adapter adapter, @Nullable Request request) {
    if (wrapper.hasAsyncIO()
        && getHttp11Protocol() instanceof LastcallProtocol protocol
        && protocol.endpoint().isServed()) {
      TomcatConnection connection = protocol.endpoint().connection(wrapper);
      // The adapter of an upgrade is HTTP/1's.
      return new DrainingHttp2Handler(
          this,
          protocol.getAdapter(),
          request,
          connection,
          new ExchangeCounter(connection.accepted()));
    }
    return super.getInternalUpgradeHandler(wrapper, adapter, request);
  }

  /**
   * Counts the exchanges of one HTTP/2 connection: from the request's way to the application until
   * Tomcat is done with it, its last frame written. Tomcat's own number of active streams goes down
   * just before that write. Counts apart those that have become streams of events, or other
   * long-lived ones.
   */
  static final class ExchangeCounter {
    private final AcceptedConnection accepted;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger longLived = new AtomicInteger();

    /** Set before the first exchange. */
    private Runnable onChange = () -> {};

    /**
     * @param accepted the connection as the gate knows it
     */
    ExchangeCounter(AcceptedConnection accepted) {
      this.accepted = accepted;
    }

    /**
     * From now on the action runs after an exchange has ended or become long-lived, on the thread
     * that did that.
     */
    void listen(Runnable newOnChange) {
      onChange = newOnChange;
    }

    int open() {
      return open.get();
    }

    int longLived() {
      return longLived.get();
    }

    /** A request is on its way to the application. */
    void begin(Request request) {
      Exchange exchange = new Exchange();
      open.incrementAndGet();
      request.setNote(LastcallProtocol.NOTE, exchange);
      request.setAttribute(LastcallProtocol.ATTRIBUTE, exchange);
    }

    /** Tomcat is done with the exchange of {@code processor}, if that is a stream's. */
    static void done(Processor processor) {
      Request request = processor.getRequest();
      if (request != null && request.getNote(LastcallProtocol.NOTE) instanceof Exchange exchange) {
        request.setNote(LastcallProtocol.NOTE, null);
        exchange.end();
      }
    }

    /** One request and its response. */
    final class Exchange {
      private boolean isLongLived;
      private boolean ended;

      AcceptedConnection accepted() {
        return accepted;
      }

      /** From a thread of the application's, maybe, and then maybe after its end. */
      void becameLongLived() {
        if (markLongLived()) {
          onChange.run();
        }
      }

      private synchronized boolean markLongLived() {
        boolean now = !ended && !isLongLived;
        if (now) {
          isLongLived = true;
          longLived.incrementAndGet();
        }
        return now;
      }

      private void end() {
        markEnded();
        // In this order: a long-lived one counts as any other in between.
        open.decrementAndGet();
        onChange.run();
      }

      private synchronized void markEnded() {
        ended = true;
        if (isLongLived) {
          longLived.decrementAndGet();
        }
      }
    }
  }
}
