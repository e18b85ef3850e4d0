package io.lastcall.agent.service;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

/**
 * A server whose threads go on to the process's end: the application's own hooks run after the last
 * phase, may need them, and end what they have always ended. Where nothing counts its requests,
 * nothing of it is closed, since nothing is known of it; core says so, and the end is incomplete.
 */
final class LeftRunning implements DrainableServer {
  private final DrainableServer server;

  private volatile boolean isNotCounted;
  private volatile IntSupplier uncounted = () -> 0;

  LeftRunning(DrainableServer server) {
    this.server = server;
  }

  /** From now on. */
  void isNotCounted() {
    isNotCounted = true;
  }

  void uncounted(IntSupplier connections) {
    uncounted = connections;
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

  /**
   * The application does.
   *
   * @throws IllegalStateException if connections are cut that nothing counts: the report has it
   */
  @Override
  public void stop(Deadline deadline) {
    int cut = uncounted.getAsInt();
    if (cut > 0) {
      throw new IllegalStateException(
          "Requests on connections without an HTTP codec that the agent knows, as HTTP/2 of Vert.x,"
              + " were not waited for; such connections of %s: %d".formatted(name(), cut));
    }
  }
}
