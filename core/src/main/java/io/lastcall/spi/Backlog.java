package io.lastcall.spi;

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
 * Proves that a listener has accepted every connection that was queued before now. The kernel's
 * accept queue is first in, first out: once the server has answered a connection of our own, it has
 * accepted all connections before it.
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
   * @param deadline how long to wait
   * @param own called with the address of our connection before it is made, by which the server
   *     tells it from its clients'
   * @throws IOException if the listener does not answer in time
   */
  public static void awaitAccepted(
      InetSocketAddress listener, Deadline deadline, Consumer<SocketAddress> own)
      throws IOException {
    InetAddress bound = listener.getAddress();
    InetAddress host = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
    // A channel's socket ignores a SOCKS proxy that is set for the JVM.
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

  /** Tries again: at the limit of file descriptors, one is free once an idle connection closes. */
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
   * The server's side of {@link #awaitAccepted}: accepts every queued connection, on the accepting
   * thread, without blocking.
   *
   * @param listener blocking; left as it was unless our own connection came
   * @param first accepted already
   * @param own the address of our own connection
   * @param service gets every other connection
   * @return our own connection, after which the queue is empty; null if it has not come
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
      // No file descriptor left, for example. All that was queued in time came before ours.
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

  /** What a server does with an accepted connection. */
  @FunctionalInterface
  public interface Service {
    /** Serves it, or closes it. */
    void serve(SocketChannel accepted) throws IOException;
  }

  /** Socket timeouts are whole milliseconds, and zero means for ever. */
  private static int millis(Deadline deadline) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, deadline.remaining().toMillis()));
  }
}
