package io.lastcall.servlet.undertow;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.AlpnOpenListener;
import io.undertow.server.protocol.http.HttpOpenListener;
import io.undertow.server.protocol.http2.Http2OpenListener;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * Puts a listener together out of Undertow's parts, as {@code Undertow.start} does, with the ledger
 * in front: it knows a connection before the first byte of it is read.
 */
final class Listening {
  /** As {@code Undertow.Builder} has it where the heap is not tiny. */
  private static final int BUFFER_SIZE = 16 * 1024 - 20;

  private final XnioWorker worker;
  private final OptionMap options;
  private final ConnectionLedger ledger;
  private final HttpHandler root;
  private final ByteBufferPool buffers = new DefaultByteBufferPool(true, BUFFER_SIZE, -1, 4);

  Listening(XnioWorker worker, OptionMap options, ConnectionLedger ledger, HttpHandler root) {
    this.worker = worker;
    this.options = options;
    this.ledger = ledger;
    this.root = root;
  }

  /**
   * What {@code Undertow.start} sets unless told otherwise, but for {@code BUFFER_PIPELINED_DATA},
   * which is off whatever is asked for: with it Undertow loses a response without a body, and what
   * is buffered before it, where that response says close and more requests are behind it.
   */
  static OptionMap withDefaults(OptionMap options) {
    return OptionMap.builder()
        .set(Options.TCP_NODELAY, true)
        .set(Options.REUSE_ADDRESSES, true)
        .set(Options.BACKLOG, 1000)
        .set(UndertowOptions.NO_REQUEST_TIMEOUT, 60 * 1000)
        .addAll(options)
        .set(UndertowOptions.BUFFER_PIPELINED_DATA, false)
        .getMap();
  }

  /** It does not accept yet. */
  AcceptingChannel<? extends StreamConnection> open(
      InetSocketAddress address, @Nullable SSLContext tls) throws IOException {
    HttpOpenListener http1 = new HttpOpenListener(buffers, options);
    http1.setRootHandler(root);
    boolean http2 = options.get(UndertowOptions.ENABLE_HTTP2, false);
    Http2Opener opener = new Http2Opener(ledger, buffers, options, root);
    if (tls == null) {
      return bind(address, null, http2 ? new ByPreface(http1, opener) : http1);
    }
    UndertowXnioSsl ssl =
        new UndertowXnioSsl(
            worker.getXnio(), OptionMap.create(Options.USE_DIRECT_BUFFERS, true), tls);
    return bind(
        address,
        ssl,
        http2
            ? new AlpnOpenListener(buffers, options, http1)
                .addProtocol(Http2OpenListener.HTTP2, opener, 10)
            : http1);
  }

  private AcceptingChannel<? extends StreamConnection> bind(
      InetSocketAddress address,
      @Nullable UndertowXnioSsl ssl,
      ChannelListener<StreamConnection> opener)
      throws IOException {
    try {
      return worker.createStreamConnectionServer(
          address, listener -> accept(listener, ssl, opener), options);
    } catch (BindException e) {
      // The JDK's says of what only that it is in use.
      BindException refused = new BindException(address + ": " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private void accept(
      AcceptingChannel<StreamConnection> listener,
      @Nullable UndertowXnioSsl ssl,
      ChannelListener<StreamConnection> opener) {
    StreamConnection accepted = null;
    try {
      accepted = listener.accept();
      if (accepted != null) {
        opener.handleEvent(ssl == null ? opened(accepted) : opened(accepted, ssl));
      }
    } catch (IOException | RuntimeException e) {
      // A closed listener has nothing more; and no failure may end the others' listener.
      IoUtils.safeClose(accepted);
    }
  }

  private StreamConnection opened(StreamConnection accepted) {
    ledger.opened(new UndertowConnection(accepted, null, ledger));
    return accepted;
  }

  private StreamConnection opened(StreamConnection accepted, UndertowXnioSsl ssl) {
    RecordConduit records = new RecordConduit(accepted.getSourceChannel().getConduit());
    accepted.getSourceChannel().setConduit(records);
    StreamConnection decrypted = ssl.wrapExistingConnection(accepted, options, false);
    ledger.opened(new UndertowConnection(decrypted, records, ledger));
    return decrypted;
  }
}
