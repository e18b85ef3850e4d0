package io.lastcall.kubernetes;

import io.lastcall.Removable;
import io.lastcall.kubernetes.PreparationAnswer.Preparing;
import io.lastcall.kubernetes.PreparationAnswer.Refused;
import io.lastcall.kubernetes.PreparationLease.Combined;
import io.lastcall.kubernetes.PreparationLease.Named;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.lastcall.spi.Extension;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code /prepare}. The application's code runs on one daemon thread of its own, which the
 * first registration starts: where it hangs, probes are answered all the same.
 */
final class Preparations implements Extension.Running {
  static final String PATH = "/prepare";

  private static final Logger log = LoggerFactory.getLogger(Preparation.class);

  private final Probes probes;
  private final Ticker ticker;
  private final OwnDeletion deletion;
  private final PreparationLease lease;

  /** The question that waits for the thread; later ones share it, so that none pile up. */
  private final AtomicReference<@Nullable CompletableFuture<Combined>> question =
      new AtomicReference<>();

  private volatile Optional<Thread> thread = Optional.empty();
  private volatile boolean closed;

  Preparations(Probes probes, Ticker ticker, OwnDeletion deletion) {
    this.probes = probes;
    this.ticker = ticker;
    this.deletion = deletion;
    lease = new PreparationLease(ticker, deletion::hasBegun);
    probes.guarded(PATH, this::answer);
  }

  synchronized Removable register(String name, Preparation preparation) {
    Named named = new Named(name, preparation);
    lease.add(named);
    if (!probes.hasToken()) {
      log.warn("Nothing can ask '{}' to prepare: pre-stop-token is not set", name);
    }
    if (thread.isEmpty() && !closed) {
      deletion.remember();
      Thread asking = new Thread(null, this::run, "lastcall-preparation", 0, false);
      asking.setDaemon(true);
      // From JDK 19 on, a thread without inherited thread-locals does not inherit this one either.
      asking.setContextClassLoader(Thread.currentThread().getContextClassLoader());
      asking.start();
      thread = Optional.of(asking);
    }
    return () -> lease.remove(named);
  }

  private CompletionStage<ProbeAnswer> answer(ProbeRequest request) {
    return request.method().equals("POST")
        ? ask().thenApply(Preparations::answer)
        : CompletableFuture.completedFuture(ProbeAnswer.notAllowed("POST"));
  }

  private CompletableFuture<Combined> ask() {
    if (thread.isEmpty()) {
      return CompletableFuture.completedFuture(PreparationLease.NOTHING_REGISTERED);
    }
    CompletableFuture<Combined> mine = new CompletableFuture<>();
    CompletableFuture<Combined> other = question.compareAndExchange(null, mine);
    thread.ifPresent(LockSupport::unpark);
    return other == null ? mine : other;
  }

  private static ProbeAnswer answer(Combined combined) {
    PreparationAnswer answer = combined.answer();
    String since = ",\"forSeconds\":" + combined.since().toSeconds();
    if (answer instanceof Preparing preparing) {
      long eta = preparing.eta().plusMillis(999).toSeconds();
      String detail = ",\"etaSeconds\":" + eta + ",\"detail\":" + Json.quoted(preparing.detail());
      return ProbeAnswer.json(202, "{\"state\":\"preparing\"" + since + detail + "}\n");
    }
    if (answer instanceof Refused refused) {
      String reason = ",\"reason\":" + Json.quoted(refused.reason());
      return ProbeAnswer.json(409, "{\"state\":\"refused\"" + since + reason + "}\n");
    }
    return ProbeAnswer.json(200, "{\"state\":\"prepared\"" + since + "}\n");
  }

  private void run() {
    while (!closed) {
      lease.expire();
      CompletableFuture<Combined> asked = question.getAndSet(null);
      if (asked != null) {
        asked.complete(lease.ask());
      }
      Optional<Deadline> end = lease.end();
      end.orElseGet(() -> Deadline.after(Deadline.LONGEST, ticker))
          .await(this, () -> closed || question.get() != null);
    }
    // The library is uninstalled, and the process goes on.
    lease.cancel("the library is uninstalled");
  }

  @Override
  public void ending(ShutdownControl control) {
    lease.hold();
  }

  @Override
  public void close(Deadline deadline) {
    closed = true;
    thread.ifPresent(LockSupport::unpark);
  }
}
