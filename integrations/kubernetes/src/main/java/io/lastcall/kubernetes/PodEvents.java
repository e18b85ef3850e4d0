package io.lastcall.kubernetes;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.spi.Extension;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts an Event when a shutdown begins, and one with its report, about the controller that owns
 * the Pod: they outlive the Pod by an hour. One daemon thread posts; no phase waits for it.
 *
 * <p>The right to create Events is the switch: where the first is refused, nothing more is sent. A
 * first Event without a second means that the process was killed. So the exit waits for the second,
 * for {@link #PATIENCE} at most, and not where the first has failed.
 */
final class PodEvents implements Extension.Running {
  /** Some ten times what a TLS handshake and a write to etcd take within a cluster. */
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final Logger log = LoggerFactory.getLogger(PodEvents.class);

  private final ApiServer server;
  private final Supplier<Optional<PodState>> pod;
  private final ShutdownPlan plan;
  private final Ticker ticker;
  private final BlockingQueue<PodEvent> queue = new LinkedBlockingQueue<>();
  private final AtomicInteger unsent = new AtomicInteger();

  /** Whether the last Event that was sent was not accepted, as far as is known. */
  private volatile boolean failed;

  private volatile @Nullable HttpsURLConnection request;
  private volatile @Nullable Thread thread;
  private volatile @Nullable Thread closing;
  private volatile boolean closed;

  /**
   * @param pod asks for the own Pod, if it is not known; may block
   */
  PodEvents(ApiServer server, Supplier<Optional<PodState>> pod, ShutdownPlan plan, Ticker ticker) {
    this.server = server;
    this.pod = pod;
    this.plan = plan;
    this.ticker = ticker;
  }

  /** A program that simply ends, a Job say, is worth an Event only if that goes wrong. */
  @Override
  public void began(Trigger trigger) {
    if (trigger.kind() != Kind.JVM_EXIT) {
      add(PodEvent.began(trigger, plan));
    }
  }

  @Override
  public void reported(ShutdownReport report) {
    if (report.trigger().kind() != Kind.JVM_EXIT || report.outcome() != Outcome.CLEAN) {
      add(PodEvent.reported(report));
    }
  }

  @Override
  public void halting(String hanging) {
    add(PodEvent.halting(hanging));
  }

  private synchronized void add(PodEvent event) {
    unsent.incrementAndGet();
    queue.add(event);
    if (thread == null) {
      Thread posting = new Thread(null, this::run, "lastcall-events", 0, false);
      posting.setDaemon(true);
      posting.start();
      thread = posting;
    }
  }

  private void run() {
    try {
      PodState own = pod.get().orElse(null);
      if (own == null) {
        return;
      }
      String namespace = server.namespace();
      ObjectRef self = new ObjectRef("v1", "Pod", server.pod(), own.uid());
      ObjectRef about = own.owner().map(owner -> top(owner, namespace)).orElse(self);
      String path = "/api/v1/namespaces/" + namespace + "/events";
      Optional<HttpsURLConnection> ahead = Optional.of(connect(path));
      while (post(path, ahead, queue.take().json(about, self, namespace))) {
        unsent.decrementAndGet();
        LockSupport.unpark(closing);
        ahead = connectAhead(path);
      }
    } catch (IOException | RuntimeException | InterruptedException e) {
      log.debug("No Events of this shutdown are posted", e);
    } finally {
      failed = true;
      LockSupport.unpark(closing);
    }
  }

  /** Returns the Deployment of a ReplicaSet, if this Pod may know it. */
  private ObjectRef top(ObjectRef owner, String namespace) {
    if (!owner.isReplicaSet()) {
      return owner;
    }
    try {
      HttpsURLConnection get =
          server.request(
              "/apis/apps/v1/namespaces/%s/replicasets/%s".formatted(namespace, owner.name()));
      request = get;
      return get.getResponseCode() == 200
          ? ObjectRef.ownerOf(
                  PodState.member(Json.read(ApiServer.body(get.getInputStream())), "metadata"))
              .orElse(owner)
          : owner;
    } catch (IOException | RuntimeException e) {
      return owner;
    }
  }

  /** A handshake would take most of the time that the exit has for the last Event. */
  private Optional<HttpsURLConnection> connectAhead(String path) {
    try {
      return Optional.of(connect(path));
    } catch (IOException e) {
      return Optional.empty(); // the next Event says so, if that cannot be posted either
    }
  }

  private HttpsURLConnection connect(String path) throws IOException {
    HttpsURLConnection post = server.postRequest(path);
    request = post;
    post.connect();
    return post;
  }

  /** Returns whether the next one is worth a try: this one was not refused. */
  private boolean post(String path, Optional<HttpsURLConnection> ahead, String json) {
    try {
      int status = send(path, ahead, json);
      failed = status != 201;
      if (status == 403) {
        log.debug("No Events are posted: the service account may not create them");
      } else if (failed) {
        log.warn("An Event of this shutdown was refused: status {}", status);
      }
      return status != 403 && status != 404 && status != 422;
    } catch (IOException e) {
      // It may have been accepted all the same, so that the next is sent too.
      failed = true;
      if (!closed) {
        log.warn("An Event of this shutdown could not be posted: {}", e.toString());
      }
      return true;
    }
  }

  private int send(String path, Optional<HttpsURLConnection> ahead, String json)
      throws IOException {
    if (ahead.isPresent()) {
      try {
        return ApiServer.post(ahead.get(), json);
      } catch (SocketTimeoutException e) {
        throw e; // it has the Event, most likely
      } catch (IOException e) {
        // The API server closes a connection that is idle for half a minute.
        log.debug("The connection for Events was closed", e);
      }
    }
    return ApiServer.post(connect(path), json);
  }

  @Override
  public void close(Deadline deadline) {
    closing = Thread.currentThread();
    Deadline end = deadline.earlier(Deadline.after(PATIENCE, ticker));
    end.await(this, () -> failed || unsent.get() == 0);
    closed = true;
    Thread posting = thread;
    if (posting != null) {
      posting.interrupt();
    }
    HttpsURLConnection open = request;
    if (open != null) {
      open.disconnect();
    }
  }
}
