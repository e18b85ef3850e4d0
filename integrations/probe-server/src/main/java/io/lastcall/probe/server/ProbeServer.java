package io.lastcall.probe.server;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.lastcall.probe.server.ProbeConnection.State;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the probes, and nothing else, on a port of its own until it is closed. One daemon thread,
 * at most {@value #MAX_CONNECTIONS} connections. When they are all taken the oldest whose request
 * has not arrived is closed for the next one: a client that is slow on purpose costs a connection
 * and never a probe, since a kubelet's whole request is there within a round trip. At most {@value
 * #MAX_WAITING} preStop hooks may wait for their answer, the newest, so that there is room for
 * probes.
 */
final class ProbeServer implements AutoCloseable {
  static final int MAX_CONNECTIONS = 256;

  static final int MAX_WAITING = 128;

  private static final Logger log = LoggerFactory.getLogger(ProbeServer.class);

  private static final int BACKLOG = 128;

  /** How long a client may take to send its head, to read its answer, and to close. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Before the next accept or select where one has failed: without descriptors it would spin. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final Probes probes;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final SelectionKey accepting;
  private final Duration patience;
  private final Thread thread = Threads.daemon("probes", this::serve);
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** In the order of their acceptance; changed by the server's thread only. */
  private final Set<ProbeConnection> connections =
      Collections.synchronizedSet(new LinkedHashSet<>());

  private Optional<Deadline> acceptAgain = Optional.empty();
  private volatile boolean closed;

  private ProbeServer(
      Probes probes, ServerSocketChannel listener, Selector selector, Duration patience)
      throws IOException {
    this.probes = probes;
    this.listener = listener;
    this.selector = selector;
    this.patience = patience;
    listener.configureBlocking(false);
    accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Listens and serves.
   *
   * @param port 0 is any free port
   * @throws IOException if the port cannot be had
   */
  static ProbeServer start(Probes probes, int port) throws IOException {
    return start(probes, port, PATIENCE);
  }

  static ProbeServer start(Probes probes, int port, Duration patience) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      listener.bind(new InetSocketAddress(port), BACKLOG);
      return start(probes, listener, Selector.open(), patience);
    } catch (IOException | RuntimeException | Error e) {
      listener.close();
      throw e;
    }
  }

  static ProbeServer start(
      Probes probes, ServerSocketChannel listener, Selector selector, Duration patience)
      throws IOException {
    try {
      ProbeServer server = new ProbeServer(probes, listener, selector, patience);
      server.thread.start();
      return server;
    } catch (IOException | RuntimeException | Error e) {
      selector.close();
      throw e;
    }
  }

  int open() {
    return connections.size();
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /** Returns the port it listens on. */
  int port() {
    return listener.socket().getLocalPort();
  }

  /** As {@link #close(Deadline)}, a second from now. */
  @Override
  public void close() {
    close(Deadline.after(CLOSE_LIMIT, Ticker.system()));
  }

  /**
   * Ends listener, connections and thread: one that is left in {@code select} costs the exit of the
   * JVM 300 ms. Takes about a millisecond. Idempotent.
   *
   * @param deadline when the thread is no longer waited for
   */
  void close(Deadline deadline) {
    closed = true;
    selector.wakeup();
    Threads.join(thread, deadline);
  }

  private void serve() {
    while (!closed) {
      // A thread that stays interrupted cannot wait.
      Thread.interrupted();
      try {
        selector.select(this::ready, untilNextDeadline());
        runTasks();
        expire();
      } catch (Throwable t) {
        // Whatever it was, the next probe is still to be answered.
        log.warn("The probe server failed once, and goes on", t);
        LockSupport.parkNanos(this, PAUSE.toNanos());
      }
    }
    // An answer that came while the last round ended.
    runTasks();
    List.copyOf(connections).forEach(ProbeConnection::close);
    closeQuietly(listener);
    closeQuietly(selector);
  }

  private void ready(SelectionKey key) {
    if (key == accepting) {
      accept();
    } else if (key.attachment() instanceof ProbeConnection connection) {
      guarded(connection, connection::ready);
    }
  }

  private void accept() {
    try {
      for (int i = 0; i < BACKLOG; i++) {
        SocketChannel channel = listener.accept();
        if (channel == null) {
          return;
        }
        welcome(channel);
      }
    } catch (IOException e) {
      log.warn("The probe server could not accept a connection", e);
      accepting.interestOps(0);
      acceptAgain = Optional.of(Deadline.after(PAUSE, Ticker.system()));
    }
  }

  private void welcome(SocketChannel channel) throws IOException {
    try {
      if (connections.size() >= MAX_CONNECTIONS) {
        makeRoom();
      }
      channel.configureBlocking(false);
      connections.add(new ProbeConnection(channel, this));
    } catch (Throwable t) {
      // Errors too: with a full heap each probe would cost a descriptor.
      channel.close();
      throw t;
    }
  }

  /** Not at the cost of those who wait for us; they have a limit of their own. */
  private void makeRoom() {
    oldest(State.READING)
        .or(() -> oldest(State.LINGERING))
        .or(() -> oldest(State.WRITING))
        .ifPresent(ProbeConnection::close);
  }

  private Optional<ProbeConnection> oldest(State state) {
    return connections.stream().filter(other -> other.state() == state).findFirst();
  }

  private void expire() {
    List<ProbeConnection> late = connections.stream().filter(ProbeConnection::isLate).toList();
    late.forEach(ProbeConnection::close);
    if (acceptAgain.filter(Deadline::hasPassed).isPresent()) {
      acceptAgain = Optional.empty();
      accepting.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  /** Milliseconds, rounded up; 0 is for ever. */
  private long untilNextDeadline() {
    long nanos = acceptAgain.map(again -> again.remaining().toNanos()).orElse(Long.MAX_VALUE);
    for (ProbeConnection connection : connections) {
      if (connection.state() != State.ANSWERING) {
        nanos = Math.min(nanos, connection.deadline().remaining().toNanos());
      }
    }
    return nanos == Long.MAX_VALUE ? 0 : nanos / 1_000_000 + 1;
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** The answer may come on any thread, and is written on ours. */
  void answer(ProbeRequest request, ProbeConnection connection) throws IOException {
    CompletionStage<ProbeAnswer> answer = probes.answer(request);
    if (answer.toCompletableFuture().isDone()) {
      connection.respond(answer.toCompletableFuture().join());
      return;
    }
    boundWaiting();
    answer.thenAccept(
        late -> {
          tasks.add(() -> guarded(connection, () -> connection.respond(late)));
          selector.wakeup();
        });
  }

  private void boundWaiting() {
    List<ProbeConnection> waiting =
        connections.stream().filter(other -> other.state() == State.ANSWERING).toList();
    if (waiting.size() > MAX_WAITING) {
      waiting.get(0).close();
    }
  }

  private static void guarded(ProbeConnection connection, Work work) {
    try {
      work.run();
    } catch (Throwable t) {
      // The peer's doing, mostly; nobody is left to tell.
      connection.close();
    }
  }

  Deadline soon() {
    return Deadline.after(patience, Ticker.system());
  }

  Selector selector() {
    return selector;
  }

  void forget(ProbeConnection connection) {
    connections.remove(connection);
  }

  private static void closeQuietly(AutoCloseable resource) {
    try {
      resource.close();
    } catch (Exception e) {
      log.debug("Not closed: {}", resource, e);
    }
  }

  /** Something done for one connection. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }
}
