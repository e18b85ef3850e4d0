package io.lastcall.agent.service;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.Removable;
import io.lastcall.connection.DrainableServer;
import io.lastcall.plan.ReportLog;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown of a process that does not know of it. Installed when the first server is made: a
 * process without one stays as it is. Thread-safe.
 */
public final class AgentShutdown {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final String SO = "This process shuts down as without Lastcall's agent";

  /** Most services have one by then. */
  private static final Duration START_UP = Duration.ofMinutes(1);

  private final Set<String> failed = new HashSet<>();

  private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

  /** Some server has been seen, or nothing is to be said of it any more. */
  private final CountDownLatch seen = new CountDownLatch(1);

  private @Nullable GracefulShutdown installed;

  /** Those added, and not taken back. */
  private int servers;

  private volatile boolean aside;

  /** Returns whether the agent does nothing any more. */
  public boolean isAside() {
    return aside;
  }

  /** Returns the shutdown, installed now if need be; null if the agent does nothing. */
  public synchronized @Nullable GracefulShutdown get() {
    seen.countDown();
    if (installed == null && !aside) {
      install();
    }
    return aside ? null : installed;
  }

  private void install() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    builder.reportLog(ReportLog.ONE_LINE);
    try {
      // First without the message that the kubelet shows where a process has ended.
      builder.plan();
      installed = builder.install();
      installed.probes().keepOffServicePort();
    } catch (IllegalArgumentException refused) {
      aside = true;
      log.error("{}. {}", refused.getMessage(), SO);
    } catch (RuntimeException | LinkageError failure) {
      aside = true;
      log.warn("Lastcall's agent could not install the shutdown: {}. {}", failure, SO);
    }
  }

  /**
   * Adds a server whose threads the application ends itself.
   *
   * @return takes it back; null if the agent does nothing, or the shutdown has begun
   */
  public @Nullable Added server(DrainableServer server) {
    return server(server, deadline -> {});
  }

  /**
   * As {@link #server(DrainableServer)}.
   *
   * @param end called in EXIT: the end is incomplete where it throws
   */
  public synchronized @Nullable Added server(DrainableServer server, DrainableServer.Action end) {
    GracefulShutdown shutdown = get();
    if (shutdown == null || shutdown.isShuttingDown()) {
      return null;
    }
    LeftRunning role = new LeftRunning(server, end);
    Removable added = shutdown.server(role);
    servers++;
    return new Added(role, added);
  }

  /** A server of the shutdown. */
  public final class Added implements Removable {
    private final LeftRunning role;
    private final Removable added;
    private final AtomicBoolean removed = new AtomicBoolean();

    private Added(LeftRunning role, Removable added) {
      this.role = role;
      this.added = added;
    }

    @Override
    public void remove() {
      if (removed.compareAndSet(false, true)) {
        added.remove();
        removed();
      }
    }
  }

  private synchronized void removed() {
    servers--;
  }

  /**
   * Takes a server back that turned out to be none that can be drained. Where it was the only one,
   * nothing is installed any more: a stop signal does what it does without the agent. In a shutdown
   * it is too late for that: its end is incomplete, and its report says why.
   */
  public synchronized void left(String name, String why, Added server) {
    if (installed != null && installed.isShuttingDown()) {
      server.role.isNotCounted();
      log.warn("{} {}. None of its connections is waited for", name, why);
      return;
    }
    server.remove();
    log.info("{} {}. It shuts down as without Lastcall's agent", name, why);
    uninstallIfAlone();
  }

  /** A server was none that can be drained: nothing stays installed if there is no other. */
  public synchronized void uninstallIfAlone() {
    if (servers == 0 && installed != null && !installed.isShuttingDown()) {
      installed.uninstall();
      installed = null;
    }
  }

  /** A server listens: start-up is over, as far as can be seen. */
  public void started() {
    GracefulShutdown shutdown = get();
    if (shutdown != null) {
      shutdown.started();
    }
  }

  /** The agent does nothing from now on, and gives back what it has taken. */
  public synchronized void stepAside(String why) {
    if (aside) {
      return;
    }
    aside = true;
    seen.countDown();
    if (installed != null) {
      installed.uninstall();
    }
    log.info("Lastcall's agent steps aside: {}", why);
  }

  /** Says, a minute from now, that no server has been seen, if that is so. */
  public void reportWithoutServer() {
    Threads.daemon("agent", this::awaitServer).start();
  }

  private void awaitServer() {
    try {
      if (!seen.await(START_UP.toSeconds(), TimeUnit.SECONDS)) {
        log.info(
            "Lastcall's agent has seen no server that it knows within a minute. Until one is made,"
                + " this process shuts down as without it");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Says once for each kind that something of the agent has failed there. Where there is no server
   * yet, the kind is given up: a shutdown without it would end its requests.
   */
  public synchronized void failed(String kind, Throwable failure) {
    if (failed.add(kind)) {
      log.warn("Lastcall's agent does not fit this {}: {}", kind, String.valueOf(failure));
    }
    if (servers == 0) {
      givenUp.add(kind);
      uninstallIfAlone();
    }
  }

  /** Returns whether servers of a kind are left alone. */
  public boolean isGivenUp(String kind) {
    return givenUp.contains(kind);
  }
}
