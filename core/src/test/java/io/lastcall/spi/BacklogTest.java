package io.lastcall.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.FreePort;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets: the kernel's accept queue is the subject. */
@Timeout(120)
class BacklogTest {
  private static final Duration GENEROUS = Duration.ofSeconds(60);

  private static Background<Boolean> awaitAccepted(ServerSocket listener, Duration timeout) {
    InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
    return Background.run(
        () -> {
          Backlog.awaitAccepted(address, Deadline.after(timeout, Ticker.system()), own -> {});
          return true;
        });
  }

  private static Socket connect(ServerSocket listener) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), listener.getLocalPort());
  }

  @Test
  void awaitAccepted_queuedConnections_areAllAcceptedBeforeItReturns() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 50)) {
      for (int i = 0; i < 10; i++) {
        Socket queued = connect(listener);
        queued.setSoLinger(true, 0);
      }
      Background<Boolean> proof = awaitAccepted(listener, GENEROUS);
      for (int i = 0; i < 10; i++) {
        listener.accept();
        assertFalse(proof.isDone());
      }
      try (Socket probe = listener.accept()) {
        // The probe sends nothing: a server sees the end of a connection without a request.
        assertEquals(-1, probe.getInputStream().read());
        assertFalse(proof.isDone());
      }
      assertTrue(proof.result());
    }
  }

  @Test
  void awaitAccepted_serverSpeaksFirst_waitsForItsEnd() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Background<Boolean> proof = awaitAccepted(listener, GENEROUS);
      try (Socket probe = listener.accept()) {
        probe.getOutputStream().write(new byte[] {50, 50, 48, 13, 10});
        // Long enough for whoever took those bytes for an answer to say so.
        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !proof.isDone());
      }
      assertTrue(proof.result());
    }
  }

  @Test
  void acceptQueued_ownConnectionHasNotCome_servesTheOthersAndLeavesTheListenerBlocking()
      throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (SocketChannel first = SocketChannel.open(listener.getLocalAddress());
          SocketChannel second = SocketChannel.open(listener.getLocalAddress())) {
        List<SocketAddress> served = new ArrayList<>();
        SocketAddress own = listener.getLocalAddress(); // nobody's
        assertNull(
            Backlog.acceptQueued(
                listener,
                listener.accept(),
                own,
                accepted -> {
                  served.add(accepted.getRemoteAddress());
                  accepted.close();
                }));
        assertEquals(List.of(first.getLocalAddress(), second.getLocalAddress()), served);
        assertTrue(listener.isBlocking());
      }
    }
  }

  @Test
  void awaitAccepted_nobodyAccepts_givesUpAtTheDeadline() throws IOException {
    try (ServerSocket listener = new ServerSocket(0)) {
      InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
      Deadline soon = Deadline.after(Duration.ofMillis(50), Ticker.system());
      assertThrows(
          SocketTimeoutException.class, () -> Backlog.awaitAccepted(address, soon, own -> {}));
    }
  }

  @Test
  void awaitAccepted_listenerIsGone_fails() throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePort.next());
    Deadline deadline = Deadline.after(GENEROUS, Ticker.system());
    assertThrows(IOException.class, () -> Backlog.awaitAccepted(address, deadline, own -> {}));
  }
}
