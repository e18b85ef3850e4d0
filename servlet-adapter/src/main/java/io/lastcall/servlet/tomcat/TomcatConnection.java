package io.lastcall.servlet.tomcat;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.LongLived;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.Lock;
import org.apache.catalina.connector.CoyoteAdapter;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * One connection, as a drain sees it.
 *
 * <p>It is idle if, with its lock held, so that no worker is at it: no byte has arrived that a
 * worker has not read, and it has no processor, so what workers have read was whole requests, all
 * answered. Tomcat's poller may have handed it to a worker that waits for the lock; then a byte has
 * arrived, or the peer has ended it.
 */
final class TomcatConnection implements HttpConnection {
  private final SocketWrapperBase<NioChannel> wrapper;
  private final ConnectionLedger ledger;

  TomcatConnection(SocketWrapperBase<NioChannel> wrapper, ConnectionLedger ledger) {
    this.wrapper = wrapper;
    this.ledger = ledger;
  }

  static String id(SocketWrapperBase<NioChannel> wrapper) {
    return wrapper.getServletConnection("", "").getConnectionId();
  }

  @Override
  public void closeIfIdle() {
    Lock lock = wrapper.getLock();
    boolean locked = lock.tryLock();
    while (!locked && ledger.isResting(wrapper)) {
      // Its worker is a few instructions from the unlock.
      Thread.onSpinWait();
      locked = lock.tryLock();
    }
    if (locked) {
      try {
        halfCloseIfIdle();
      } finally {
        lock.unlock();
      }
    }
  }

  /** With the lock held, by the caller or by Tomcat for it. */
  void halfCloseIfIdle() {
    SocketChannel channel = wrapper.getSocket().getIOChannel();
    try {
      if (!wrapper.isClosed()
          && channel != null
          && wrapper.getCurrentProcessor() == null
          && hasNoInput(channel)) {
        ledger.halfClosed(wrapper);
        channel.shutdownOutput();
      }
    } catch (IOException gone) {
      wrapper.close();
    }
  }

  /** An upgraded connection, or one within a request that has become a stream. */
  boolean isLongLived() {
    if (!(wrapper.getCurrentProcessor() instanceof Processor processor)) {
      return false;
    }
    if (processor.isUpgrade()) {
      return true;
    }
    HttpServletRequest request = request(processor);
    return request != null && LongLived.isLongLived(request);
  }

  private static @Nullable HttpServletRequest request(Processor processor) {
    org.apache.coyote.Request request = processor.getRequest();
    return request == null
        ? null
        : (HttpServletRequest) request.getNote(CoyoteAdapter.ADAPTER_NOTES);
  }

  /** Asks the kernel; also where the channel is registered with a selector, on JDK 17 to 25. */
  private boolean hasNoInput(SocketChannel channel) throws IOException {
    return wrapper.getSocketBufferHandler().isReadBufferEmpty()
        && channel.socket().getInputStream().available() == 0;
  }
}
