package io.lastcall.agent.log;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Where lines go: to standard error until a server shows which SLF4J the application has. */
public final class AgentLog {
  private static volatile @Nullable ApplicationLog application;

  private AgentLog() {}

  /**
   * Lines go to the SLF4J that {@code loader} sees, unless an earlier one saw one already.
   *
   * @param below a child of it, with the adapters: Log4j has a configuration for each class loader
   *     that asks for a logger, and finds the application's from there
   */
  public static void useThatOf(ClassLoader loader, ClassLoader below) {
    if (application == null) {
      application = ApplicationLog.in(loader, below);
    }
  }

  static boolean isEnabled(String logger, Level level) {
    ApplicationLog known = application;
    return known == null ? level.toInt() >= Level.INFO.toInt() : known.isEnabled(logger, level);
  }

  static void write(String logger, Level level, String line, @Nullable Throwable failure) {
    ApplicationLog known = application;
    if (known == null || !known.write(logger, level, line, failure)) {
      String cause = failure == null ? "" : ": " + failure;
      System.err.println(level + " " + logger + " - " + line + cause);
    }
  }
}
