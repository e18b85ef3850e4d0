package io.lastcall.agent.service;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A server whose threads go on to the process's end: the application's own hooks run after the last
 * phase, may need them, and end what they have always ended. Where nothing counts its requests,
 * nothing of it is closed, since nothing is known of it; core says so, and the end is incomplete.
 */
final class LeftRunning implements DrainableServer {
  private final DrainableServer server;
  private final Action end;

  private volatile boolean isNotCounted;

  /**
   * @param end takes the place of the server's stop, which is the application's
   */
  LeftRunning(DrainableServer server, Action end) {
    this.server = server;
    this.end = end;
  }

  /** From now on. */
  void isNotCounted() {
    isNotCounted = true;
  }

  @Override
  public String name() {
    return server.name();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return isCounted() ? server.connections() : List.of();
  }

  @Override
  public boolean listsConnections() {
    return server.listsConnections();
  }

  @Override
  public Counting counting() {
    return isNotCounted ? Counting.MISSING : server.counting();
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    if (isCounted()) {
      server.stopListening(deadline);
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return isCounted() ? server.connectionsEnded() : CompletableFuture.completedFuture(null);
  }

  private boolean isCounted() {
    return counting() != Counting.MISSING;
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    end.run(deadline);
  }
}
