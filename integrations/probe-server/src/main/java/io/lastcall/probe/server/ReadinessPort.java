package io.lastcall.probe.server;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A port, for {@code tcpSocket} probes, which only connect. Somebody must accept all the same: a
 * listener that nobody accepts from fills its backlog with finished probes, and then fails a ready
 * service. That is a thread of its own, there while the port is open.
 */
final class ReadinessPort implements ReadinessSign {
  /** Before the next accept where one has failed: without descriptors, or heap, it would spin. */
  private static final long PAUSE_NANOS = 100_000_000;

  /** Longer than it takes: a thread that is left inside of accept costs the exit 300 ms. */
  private static final Duration END = Duration.ofSeconds(1);

  private record Open(ServerSocket listener, Thread acceptor) {}

  private final int port;
  private Optional<Open> open = Optional.empty();

  /**
   * @throws IllegalArgumentException if the port cannot be had
   */
  ReadinessPort(int port) {
    this.port = port;
    try {
      bound(port).close();
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage() + "; allowed: a port that is free", e);
    }
  }

  /**
   * Takes the port as a listener does, and does not listen: a probe may ask already, and nobody is
   * ready yet.
   */
  static Socket bound(int port) throws IOException {
    Socket socket = new Socket();
    try {
      // As a listener has it: what connections have left behind does not matter.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(port));
      return socket;
    } catch (Throwable t) {
      socket.close();
      throw t;
    }
  }

  @Override
  public void show() throws IOException {
    if (open.isPresent()) {
      return;
    }
    ServerSocket listener = new ServerSocket(port);
    Thread acceptor = Threads.daemon("readiness-port", () -> accept(listener));
    try {
      acceptor.start();
    } catch (OutOfMemoryError noThreadLeft) {
      listener.close();
      throw new IOException("no thread is left to accept probes", noThreadLeft);
    }
    open = Optional.of(new Open(listener, acceptor));
  }

  @Override
  public void hide() throws IOException {
    if (open.isPresent()) {
      Open shown = open.get();
      open = Optional.empty();
      shown.listener().close();
      Threads.join(shown.acceptor(), Deadline.after(END, Ticker.system()));
    }
  }

  private static void accept(ServerSocket listener) {
    while (!listener.isClosed()) {
      try {
        // It has connected, which is all it came for.
        listener.accept().close();
      } catch (Throwable t) {
        if (!listener.isClosed()) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  @Override
  public String toString() {
    return "readiness-port=" + port;
  }
}
