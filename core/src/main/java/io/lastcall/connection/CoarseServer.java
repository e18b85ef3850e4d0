package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** See {@link DrainableServer#of}. */
record CoarseServer(String name, Action stopListening, Action stop) implements DrainableServer {
  CoarseServer {
    Objects.requireNonNull(name, "name must not be null");
    Objects.requireNonNull(stopListening, "stopListening must not be null");
    Objects.requireNonNull(stop, "stop must not be null");
  }

  @Override
  public Collection<HttpConnection> connections() {
    return List.of();
  }

  @Override
  public boolean listsConnections() {
    return false;
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    stopListening.run(deadline);
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    stop.run(deadline);
  }
}
