package io.lastcall.servlet;

import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests that a server of the coarse role has begun and not completed, as the container says:
 * those that the filter counts, and those of handlers outside of every application, which it never
 * sees. DRAIN waits for each, and the end is incomplete where one is cut. Thread-safe.
 */
public final class OpenRequests implements ContainerAdapter {
  private static final HttpConnection ANSWERING =
      new HttpConnection() {
        @Override
        public void closeIfIdle() {
          // It is not: it is listed while a request runs.
        }

        @Override
        public boolean isAnswering() {
          return true;
        }
      };

  private final Set<Object> open = ConcurrentHashMap.newKeySet();

  private final Function<HttpServletRequest, @Nullable Object> below;

  /** Completed when none is open; the last one that was asked for. */
  private volatile CompletableFuture<@Nullable Void> awaited =
      CompletableFuture.completedFuture(null);

  /**
   * @param below returns the container's request below a servlet's; null: it is none of this server
   */
  public OpenRequests(Function<HttpServletRequest, @Nullable Object> below) {
    this.below = below;
  }

  /** The container has begun to handle a request, and calls {@link #ended} of it. */
  public void began(Object request) {
    open.add(request);
  }

  /** The container has sent the whole response, or none will be sent. */
  public void ended(Object request) {
    if (open.remove(request)) {
      completeIfNone();
    }
  }

  @Override
  public void longLived(HttpServletRequest request) {
    exclude(request);
  }

  @Override
  public void probed(HttpServletRequest request) {
    exclude(request);
  }

  private void exclude(HttpServletRequest request) {
    @Nullable Object known = below.apply(request);
    if (known != null) {
      ended(known);
    }
  }

  /** By the iterator, which is exact: the map's size is a sum, and may span two changes. */
  private void completeIfNone() {
    if (!open.iterator().hasNext()) {
      awaited.complete(null);
    }
  }

  /** Returns one connection for each, which DRAIN waits for. */
  public Collection<HttpConnection> connections() {
    return open.stream().map(request -> ANSWERING).toList();
  }

  /** Returns a stage that completes when no request is open. */
  public CompletionStage<?> allEnded() {
    return future();
  }

  private CompletableFuture<@Nullable Void> future() {
    CompletableFuture<@Nullable Void> future = new CompletableFuture<>();
    awaited = future;
    completeIfNone();
    return future;
  }

  /**
   * Waits for requests that have begun since DRAIN has waited for all others, if it has not given
   * up. Ends before the deadline, at which the caller would be taken for one that hangs.
   */
  public void awaitNone(Deadline deadline) {
    if (!awaited.isDone()) {
      return;
    }
    Thread waiter = Thread.currentThread();
    CompletableFuture<@Nullable Void> ended = future();
    var unusedWake = ended.thenRun(() -> LockSupport.unpark(waiter));
    Duration most = deadline.remaining().multipliedBy(3).dividedBy(4);
    var unused = deadline.atMost(most).await(this, ended::isDone);
  }

  /**
   * Call as the server ends.
   *
   * @throws IOException if a request is open, which is cut by that
   */
  public void refuseToCut() throws IOException {
    List<Object> left = List.copyOf(open);
    if (!left.isEmpty()) {
      throw new IOException(
          "%d of its requests had no complete response yet, the first is %s"
              .formatted(left.size(), left.get(0)));
    }
  }
}
