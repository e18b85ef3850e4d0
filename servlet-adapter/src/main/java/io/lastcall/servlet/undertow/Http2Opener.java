package io.lastcall.servlet.undertow;

import io.undertow.UndertowOptions;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.ConnectorStatistics;
import io.undertow.server.DelegateOpenListener;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http2.Http2ReceiveListener;
import org.jspecify.annotations.Nullable;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;

/**
 * Opens connections that speak HTTP/2, as Undertow's {@code Http2OpenListener} does, but such that
 * they can be drained.
 */
final class Http2Opener implements DelegateOpenListener {
  private final ConnectionLedger ledger;
  private final ByteBufferPool buffers;
  private final OptionMap options;
  private final HttpHandler root;

  Http2Opener(
      ConnectionLedger ledger, ByteBufferPool buffers, OptionMap options, HttpHandler root) {
    this.ledger = ledger;
    this.buffers = buffers;
    this.options = options;
    this.root = root;
  }

  /**
   * @param read what has been read already, from the client's preface on
   */
  @Override
  public void handleEvent(StreamConnection channel, @Nullable PooledByteBuffer read) {
    UndertowConnection connection = ledger.of(channel);
    if (connection == null) {
      IoUtils.safeClose(channel, read);
      return;
    }
    DrainingHttp2Channel http2 =
        DrainingHttp2Channel.on(connection, ledger, buffers, read, options);
    Integer idle = options.get(UndertowOptions.IDLE_TIMEOUT);
    if (idle != null && idle > 0) {
      http2.setIdleTimeout(idle);
    }
    // Requests on this channel are this connection's: nothing else in Undertow says which.
    HttpHandler known =
        exchange -> {
          connection.begun(exchange);
          root.handleRequest(exchange);
        };
    http2
        .getReceiveSetter()
        .set(new Http2ReceiveListener(known, options, buffers.getBufferSize(), null));
    http2.resumeReceives();
  }

  @Override
  public void handleEvent(StreamConnection channel) {
    handleEvent(channel, null);
  }

  @Override
  public HttpHandler getRootHandler() {
    return root;
  }

  @Override
  public OptionMap getUndertowOptions() {
    return options;
  }

  @Override
  public ByteBufferPool getBufferPool() {
    return buffers;
  }

  @Override
  public @Nullable ConnectorStatistics getConnectorStatistics() {
    return null;
  }

  @Override
  public void setRootHandler(HttpHandler handler) {
    throw new UnsupportedOperationException("The handler is given once");
  }

  @Override
  public void setUndertowOptions(OptionMap newOptions) {
    throw new UnsupportedOperationException("The options are given once");
  }

  @Override
  public void closeConnections() {
    ledger.open().forEach(connection -> IoUtils.safeClose(connection.channel()));
  }
}
