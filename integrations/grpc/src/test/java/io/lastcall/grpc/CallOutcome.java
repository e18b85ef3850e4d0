package io.lastcall.grpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** What a client hears of one call. */
final class CallOutcome<T> implements StreamObserver<T> {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<T> messages = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Status> status = new CompletableFuture<>();

  @Override
  public void onNext(T message) {
    messages.add(message);
  }

  @Override
  public void onError(Throwable failure) {
    status.complete(Status.fromThrowable(failure));
  }

  @Override
  public void onCompleted() {
    status.complete(Status.OK);
  }

  List<T> messages() {
    return List.copyOf(messages);
  }

  void awaitMessages(int count) {
    Awaitility.await().atMost(PATIENCE).until(() -> messages.size() >= count);
  }

  boolean isOver() {
    return status.isDone();
  }

  Status awaitStatus() {
    return status.copy().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }
}
