package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a listener has accepted everything that was queued before now. The kernel's accept
 * queue is first in, first out: a connection of our own that the server has answered was behind all
 * of them.
 */
public final class Backlog {
  /** How long to wait for a free file descriptor before the next attempt. */
  private static final Duration AGAIN = Duration.ofMillis(20);

  private Backlog() {}

  /**
   * Connects to the listener, ends the connection without a byte, and waits for the server's EOF.
   * Blocks the calling thread.
   *
   * @param listener the bound address; a wildcard address is reached through loopback
   * @param deadline when to give up
   * @throws IOException if the listener does not answer in time
   */
  public static void awaitAccepted(InetSocketAddress listener, Deadline deadline)
      throws IOException {
    awaitAccepted(listener, deadline, own -> {});
  }

  /**
   * As {@link #awaitAccepted(InetSocketAddress, Deadline)}, for a server that can tell our
   * connection from its clients' where it accepts it, and need not serve it.
   *
   * @param own told where the connection comes from, before it is made
   */
  public static void awaitAccepted(
      InetSocketAddress listener, Deadline deadline, Consumer<SocketAddress> own)
      throws IOException {
    InetAddress bound = listener.getAddress();
    InetAddress host = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
    // A channel's socket: a SOCKS proxy set for the JVM has no part in this, and to ask for one
    // costs milliseconds.
    try (SocketChannel channel = open(deadline)) {
      Socket probe = channel.socket();
      probe.bind(new InetSocketAddress(host, 0));
      own.accept(probe.getLocalSocketAddress());
      probe.connect(new InetSocketAddress(host, listener.getPort()), millis(deadline));
      probe.shutdownOutput();
      probe.setSoTimeout(millis(deadline));
      int answer = probe.getInputStream().read();
      while (answer >= 0) {
        answer = probe.getInputStream().read();
      }
    }
  }

  /** At the limit of file descriptors there is one again once an idle connection has closed. */
  private static SocketChannel open(Deadline deadline) throws IOException {
    while (true) {
      try {
        return SocketChannel.open();
      } catch (IOException e) {
        if (deadline.hasPassed() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        deadline.atMost(AGAIN).park(Backlog.class);
      }
    }
  }

  /**
   * The other side of {@link #awaitAccepted}: accepts all that is queued, on the thread that
   * accepts, and blocks for nothing.
   *
   * @param listener blocking; left as it was unless our own connection came
   * @param first accepted already
   * @param own where our own connection comes from
   * @param service gets every other connection
   * @return our own connection, behind which there is nobody; null if it has not come
   * @throws IOException from the listener or the service, if our own connection has not come
   */
  public static @Nullable SocketChannel acceptQueued(
      ServerSocketChannel listener, SocketChannel first, SocketAddress own, Service service)
      throws IOException {
    SocketChannel found = null;
    try {
      SocketChannel next = first;
      while (next != null) {
        if (own.equals(next.getRemoteAddress())) {
          found = next;
        } else {
          service.serve(next);
        }
        listener.configureBlocking(false);
        next = listener.accept();
      }
    } catch (IOException failure) {
      // No descriptor left, say. All that was queued in time was in front of our own connection.
      if (found == null) {
        throw failure;
      }
    } finally {
      if (found == null) {
        listener.configureBlocking(true);
      }
    }
    return found;
  }

  /** What a server does with a connection that it has accepted. */
  @FunctionalInterface
  public interface Service {
    /** Serves it, or closes it. */
    void serve(SocketChannel accepted) throws IOException;
  }

  /** Socket timeouts are whole milliseconds, and zero means for ever. */
  private static int millis(Deadline deadline) {
    Duration remaining = deadline.remaining();
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, remaining.toMillis()));
  }
}
