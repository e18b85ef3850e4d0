package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The shutdown of the process, as one context holds it. There is one for a process and there may be
 * several contexts, in tests above all: the first installs it, the others join, and with the last
 * that is closed it is uninstalled. A context that is closed ends no JVM.
 */
final class ProcessShutdown implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProcessShutdown.class);
  private static final Object LOCK = new Object();

  // Guarded by LOCK.
  private static @Nullable GracefulShutdown installed;
  private static int holders;

  private final GracefulShutdown shutdown;
  private final boolean first;

  private ProcessShutdown(GracefulShutdown shutdown, boolean first) {
    this.shutdown = shutdown;
    this.first = first;
  }

  static ProcessShutdown acquire(ConfigurableEnvironment environment) {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    LastcallProperties.configure(builder, environment);
    synchronized (LOCK) {
      GracefulShutdown shared = installed;
      if (shared == null) {
        shared = builder.install();
        installed = shared;
      } else {
        log.info("Another context of this process has installed Lastcall: its plan stays");
      }
      holders++;
      return new ProcessShutdown(shared, holders == 1);
    }
  }

  GracefulShutdown shutdown() {
    return shutdown;
  }

  /** Whether this is the context that the process is about. */
  boolean isFirst() {
    return first;
  }

  @Override
  public void close() {
    synchronized (LOCK) {
      holders--;
      if (holders == 0) {
        installed = null;
        shutdown.uninstall();
      }
    }
  }
}
