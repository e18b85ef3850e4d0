package io.lastcall.netty;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.spi.Backlog;
import io.lastcall.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/** One listener of Netty, its connections, and the event loops that serve them. */
final class NettyServer implements DrainableServer {
  private final String name;
  private final Channel listener;
  private final List<EventLoopGroup> groups;
  private final ServerConnections connections;
  private final Accepts accepts;

  /**
   * @param accepted is given each connection before its pipeline is set up
   */
  NettyServer(
      String name, Channel listener, List<EventLoopGroup> groups, Consumer<Channel> accepted) {
    this.name = name;
    this.listener = listener;
    this.groups = groups;
    this.connections = ServerConnections.of(listener);
    this.accepts = Accepts.follow(listener, accepted);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return connections.open();
  }

  @Override
  public Counting counting() {
    return connections.counting();
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    EventLoop loop = listener.eventLoop();
    if (!listener.isOpen() || loop.isShuttingDown()) {
      // By the application. Another may have the port by now; and an event loop that shuts down
      // takes no task of ours any more, and its channels end with it.
      return;
    }
    try {
      if (listener.localAddress() instanceof InetSocketAddress address) {
        Backlog.awaitAccepted(address, deadline, own -> accepts.endWith(own, deadline));
      }
    } finally {
      close().await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /**
   * A selector keeps the port of a closed channel open until its next select. A task that the event
   * loop schedules for itself runs after that.
   */
  private Future<?> close() {
    Promise<Void> closed = listener.eventLoop().newPromise();
    listener
        .close()
        .addListener(
            left ->
                listener
                    .eventLoop()
                    .schedule(() -> closed.trySuccess(null), 0, TimeUnit.NANOSECONDS));
    return closed;
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return connections.endIdle();
  }

  /**
   * As {@link DrainableServer} says.
   *
   * @throws IllegalStateException if connections were cut that nothing counts
   */
  @Override
  public void stop(Deadline deadline) throws Exception {
    String cut = connections.describeCut();
    endLoops(deadline);
    if (!cut.isEmpty()) {
      throw new IllegalStateException(name + ": " + cut);
    }
  }

  private void endLoops(Deadline deadline) throws Exception {
    // Three quarters: to end the event loops takes little.
    awaitQueued(deadline.atMost(deadline.remaining().multipliedBy(3).dividedBy(4)));
    // Whoever accepts ends first: another listener, one for probes say, would hand its connections
    // to an event loop that has ended, and Netty logs that with a stack.
    EventLoopGroup accepting = listener.eventLoop().parent();
    awaitEnd(
        groups.stream().filter(group -> group == accepting).toList(),
        deadline.atMost(deadline.remaining().dividedBy(2)));
    if (!awaitEnd(groups, deadline)) {
      throw new TimeoutException(name + ": an event loop is still busy");
    }
  }

  /** Returns whether all have ended in time. */
  private boolean awaitEnd(List<EventLoopGroup> ending, Deadline deadline)
      throws InterruptedException {
    long nanos = deadline.remaining().toNanos();
    ending.forEach(group -> group.shutdownGracefully(0, nanos, TimeUnit.NANOSECONDS));
    for (EventExecutor loop : loops(ending)) {
      if (!loop.awaitTermination(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }

  private static List<EventExecutor> loops(List<EventLoopGroup> of) {
    return of.stream().flatMap(group -> StreamSupport.stream(group.spliterator(), false)).toList();
  }

  /**
   * An event loop that shuts down closes its channels before it runs queued tasks, such as the
   * answers to requests that have outlived DRAIN.
   */
  private void awaitQueued(Deadline deadline) throws InterruptedException {
    List<Future<?>> queued = new ArrayList<>();
    for (EventExecutor loop : loops(groups)) {
      try {
        queued.add(loop.submit(() -> {}));
      } catch (RejectedExecutionException ended) {
        // Nothing is queued there any more.
      }
    }
    for (Future<?> behind : queued) {
      behind.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    }
  }
}
