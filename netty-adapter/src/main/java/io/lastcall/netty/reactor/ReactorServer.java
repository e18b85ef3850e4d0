package io.lastcall.netty.reactor;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The role of a server from before it is bound. Reactor Netty tells whoever has bound it first, who
 * may say then that all has started, and {@code doOnBound} behind that: a shutdown may begin in
 * between. Thread-safe.
 */
final class ReactorServer implements DrainableServer {
  private final EventLoopGroup accepting;
  private volatile @Nullable DrainableServer bound;

  /**
   * @param accepting the event loops of which one binds it
   */
  ReactorServer(EventLoopGroup accepting) {
    this.accepting = accepting;
  }

  /** In the task of the event loop that has bound it: nothing is accepted before. */
  void bound(DrainableServer server) {
    bound = server;
  }

  @Override
  public String name() {
    DrainableServer server = bound;
    return server == null ? "reactor-netty" : server.name();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    DrainableServer server = bound;
    return server == null ? List.of() : server.connections();
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    if (bound == null) {
      awaitTask(deadline);
    }
    DrainableServer server = bound;
    if (server != null) {
      server.stopListening(deadline);
    }
  }

  /** Behind the one that binds it, if there is one. */
  private void awaitTask(Deadline deadline) throws InterruptedException {
    for (EventExecutor loop : accepting) {
      try {
        loop.submit(() -> {}).await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException ended) {
        // Nothing is bound there any more.
      }
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    DrainableServer server = bound;
    return server == null ? CompletableFuture.completedStage(null) : server.connectionsEnded();
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    DrainableServer server = bound;
    if (server != null) {
      server.stop(deadline);
    }
  }
}
