package io.lastcall.servlet.undertow;

import io.undertow.UndertowOptions;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.server.DelegateOpenListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xnio.ChannelListener;
import org.xnio.IoUtils;
import org.xnio.StreamConnection;
import org.xnio.XnioExecutor;
import org.xnio.conduits.ConduitStreamSourceChannel;

/**
 * Tells HTTP/2 with prior knowledge from HTTP/1.1 by the client's first bytes (RFC 9113, section
 * 3.4). Undertow can too, but opens such a connection itself and shows it to nobody.
 */
final class ByPreface implements ChannelListener<StreamConnection> {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final DelegateOpenListener http1;
  private final DelegateOpenListener http2;

  ByPreface(DelegateOpenListener http1, DelegateOpenListener http2) {
    this.http1 = http1;
    this.http2 = http2;
  }

  @Override
  public void handleEvent(StreamConnection connection) {
    connection.getSourceChannel().setReadListener(new FirstBytes(connection));
    connection.getSourceChannel().wakeupReads();
  }

  /** Those of one connection; all on its I/O thread. */
  private final class FirstBytes implements ChannelListener<ConduitStreamSourceChannel> {
    private final StreamConnection connection;
    private final XnioExecutor.@Nullable Key timeout;
    private @Nullable PooledByteBuffer read;

    FirstBytes(StreamConnection connection) {
      this.connection = connection;
      // Undertow's own, which it starts when it is given the connection: later.
      int millis = http1.getUndertowOptions().get(UndertowOptions.NO_REQUEST_TIMEOUT, -1);
      timeout =
          millis < 0
              ? null
              : connection
                  .getIoThread()
                  .executeAfter(() -> end(read), millis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void handleEvent(ConduitStreamSourceChannel channel) {
      PooledByteBuffer pooled = read == null ? http1.getBufferPool().allocate() : read;
      read = null;
      try {
        int count = channel.read(pooled.getBuffer());
        if (count < 0) {
          end(pooled);
        } else {
          decide(channel, pooled);
        }
      } catch (IOException gone) {
        end(pooled);
      }
    }

    private void end(@Nullable PooledByteBuffer pooled) {
      read = null;
      cancelTimeout();
      IoUtils.safeClose(pooled, connection);
    }

    /** Else it would keep the connection reachable until then. */
    private void cancelTimeout() {
      if (timeout != null) {
        timeout.remove();
      }
    }

    private void decide(ConduitStreamSourceChannel channel, PooledByteBuffer pooled) {
      ByteBuffer bytes = pooled.getBuffer();
      if (bytes.position() == 0) {
        pooled.close();
        return;
      }
      int common = Math.min(bytes.position(), PREFACE.length);
      boolean same =
          ByteBuffer.wrap(PREFACE, 0, common).equals(bytes.duplicate().flip().limit(common));
      if (same && common < PREFACE.length) {
        read = pooled;
        return;
      }
      channel.suspendReads();
      channel.setReadListener(null);
      cancelTimeout();
      bytes.flip();
      (same ? http2 : http1).handleEvent(connection, pooled);
    }
  }
}
