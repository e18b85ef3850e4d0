package io.lastcall.kubernetes;

import io.lastcall.spi.Extension;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.HttpsURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks for the own Pod twice, each time on a thread of its own that nothing waits for: at start,
 * since the stop signal may have been lost while the container was created, and when the process
 * ends. An answer may end the process, or shorten its time; a failure changes nothing.
 *
 * <p>A Pod that was there and is gone by the API server's own word was deleted by force, and a
 * successor may run: only the two seconds are left that every kubelet gives. Before the Pod was
 * seen, the same word may mean a wrong name.
 */
final class PodWatch implements Extension.Running, OwnDeletion {
  /** Times of the API server are cut to seconds: the difference of two is off by up to one. */
  private static final Duration ROUNDING = Duration.ofMillis(500);

  /** A difference that rounding, and the way of the stop signal, may have made is none. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /** The kubelet's least time from the stop signal to SIGKILL: minimumGracePeriodInSeconds. */
  private static final Duration LEAST = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(PodWatch.class);

  private final ApiServer server;
  private final Ticker ticker;
  private final Set<HttpsURLConnection> requests = ConcurrentHashMap.newKeySet();
  private final AtomicReference<String> warned = new AtomicReference<>("");

  /** The Pod as it was seen first. */
  private volatile Optional<Known> known = Optional.empty();

  /** Whether the stop signal was lost before this process could take it. */
  private volatile boolean unsignalled;

  private volatile boolean closed;

  PodWatch(ApiServer server, Ticker ticker) {
    this.server = server;
    this.ticker = ticker;
  }

  @Override
  public void installed(ShutdownControl control) {
    start("own-pod", () -> whenStarted(control));
  }

  @Override
  public void ending(ShutdownControl control) {
    Deadline begun = Deadline.after(Duration.ZERO, ticker);
    start("own-pod-deadline", () -> whenEnding(control, begun));
  }

  @Override
  public void remember() {
    start("own-pod", () -> ask().ifPresent(this::remember));
  }

  private void remember(Answer answer) {
    known = answer.pod.map(pod -> new Known(answer.url, pod));
  }

  /** Returns the Pod as it was seen first; asks for it, if it was not. */
  Optional<PodState> seen() {
    if (known.isEmpty()) {
      ask().ifPresent(this::remember);
    }
    return known.map(Known::pod);
  }

  @Override
  public boolean hasBegun() {
    try {
      Answer answer = get();
      return isGone(answer) || answer.saysDeleted();
    } catch (IOException | RuntimeException e) {
      log.warn("Whether the Pod is being deleted is not known, so it stays: {}", words(e));
      return false;
    }
  }

  private static void start(String name, Runnable body) {
    Thread thread = new Thread(null, body, "lastcall-" + name, 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private void whenStarted(ShutdownControl control) {
    ask()
        .ifPresent(
            answer -> {
              remember(answer);
              if (answer.saysDeleted()) {
                unsignalled = true;
                control.stop("the Pod's deletion, which was found at start");
              } else if (answer.pod.isEmpty()) {
                warn(ApiServer.NO_POD);
              }
            });
  }

  private void whenEnding(ShutdownControl control, Deadline begun) {
    ask().ifPresent(answer -> take(answer, control, begun));
  }

  private void take(Answer answer, ShutdownControl control, Deadline begun) {
    if (isGone(answer)) {
      control.podIsDeleted();
      control.shorten(begun.plus(LEAST), Duration.ZERO, "since the Pod is gone");
    } else if (answer.pod.isPresent()) {
      take(answer.pod.get(), answer.asked, control, begun);
    } else {
      warn(ApiServer.NO_POD);
    }
  }

  /**
   * Returns whether the Pod was there, and the same question is answered now by "there is none", or
   * by a later Pod of its name.
   */
  private boolean isGone(Answer answer) {
    return known
        .filter(seen -> seen.url.equals(answer.url))
        .filter(seen -> answer.pod.filter(pod -> pod.uid().equals(seen.pod.uid())).isEmpty())
        .isPresent();
  }

  private void take(PodState pod, Deadline asked, ShutdownControl control, Deadline begun) {
    if (pod.deletion().isEmpty()) {
      log.info("The Pod is not being deleted: its container ends, and its endpoint stays");
      control.podStays();
    } else {
      control.podIsDeleted();
      Duration waited = pod.deletedSince().minus(begun.until(asked)).minus(ROUNDING);
      boolean late = waited.compareTo(TOLERANCE) >= 0;
      boolean exact = pod.signalledFirst() && !late && !unsignalled;
      Deadline killed = killed(pod, asked, begun, exact);
      boolean earlier =
          control
              .killed()
              .map(killed::until)
              .filter(before -> before.compareTo(exact ? Duration.ZERO : TOLERANCE) > 0)
              .isPresent();
      if (earlier) {
        String reason =
            "since the Pod was deleted %d s ago with a grace period of %d s"
                .formatted(pod.deletedSince().toSeconds(), pod.gracePeriod().toSeconds());
        control.shorten(killed, late ? waited : Duration.ZERO, reason);
      }
    }
  }

  /**
   * Returns when SIGKILL comes.
   *
   * @param exact whether the stop signal has begun this, and was the kubelet's first act: it counts
   *     the grace period from there. If not, the API server's whole seconds are all that is known
   */
  private static Deadline killed(PodState pod, Deadline asked, Deadline begun, boolean exact) {
    // The grace period begins before the stop signal, or preStop hook, that began this.
    Deadline latest = begun.plus(pod.gracePeriod());
    Duration left = Duration.between(pod.now(), pod.deletion().orElse(pod.now())).minus(ROUNDING);
    Deadline killed = exact ? latest : asked.plus(left).earlier(latest);
    return killed.later(begun.plus(LEAST));
  }

  /** Asks once; empty, after a warning, if there is no answer that can be used. */
  private Optional<Answer> ask() {
    try {
      return Optional.of(get());
    } catch (IOException | RuntimeException e) {
      warn(words(e));
      return Optional.empty();
    }
  }

  private Answer get() throws IOException {
    HttpsURLConnection request = server.request();
    requests.add(request);
    try {
      request.connect();
      Deadline asked = Deadline.after(Duration.ZERO, ticker);
      return new Answer(server.answer(request), request.getURL().toString(), asked);
    } finally {
      requests.remove(request);
      request.disconnect();
    }
  }

  private String words(Exception e) {
    if (e instanceof SocketTimeoutException) {
      return "no answer within " + server.patience().toMillis() + " ms";
    }
    return e.getClass() == IOException.class ? String.valueOf(e.getMessage()) : e.toString();
  }

  /** Warns once for each reason, and not of what the end of the process has cut off. */
  private void warn(String reason) {
    if (!closed && !warned.getAndSet(reason).equals(reason)) {
      log.warn("The Pod's deadline is not known, what was declared counts: {}", reason);
    }
  }

  /** Cuts off a request that still waits: a thread in a read delays the exit of a JVM. */
  @Override
  public void close(Deadline deadline) {
    closed = true;
    requests.forEach(HttpsURLConnection::disconnect);
  }

  /**
   * An answer.
   *
   * @param pod empty if there is none of this name
   * @param url has the namespace, which may change: it stands in a file
   * @param asked when the request was sent: the answer is from then or later
   */
  private record Answer(Optional<PodState> pod, String url, Deadline asked) {
    boolean saysDeleted() {
      return pod.filter(state -> state.deletion().isPresent()).isPresent();
    }
  }

  private record Known(String url, PodState pod) {}
}
