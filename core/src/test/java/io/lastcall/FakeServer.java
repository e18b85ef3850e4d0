package io.lastcall;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on paper: says what it is asked to do, and does it as soon as the test says so. */
class FakeServer implements DrainableServer {
  final CompletableFuture<Void> connectionsEnded = new CompletableFuture<>();
  final List<HttpConnection> connections = new CopyOnWriteArrayList<>();
  volatile Counting counting = Counting.UNKNOWN;
  private final String name;
  private final Harness harness;

  FakeServer(String name, Harness harness) {
    this.name = name;
    this.harness = harness;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<HttpConnection> connections() {
    return connections;
  }

  @Override
  public Counting counting() {
    return counting;
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    harness.events.add("stop listening " + name);
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return connectionsEnded;
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    harness.events.add("stop " + name);
  }
}
