package io.lastcall.spring;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.helpers.NOPAppender;
import ch.qos.logback.core.spi.AppenderAttachable;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Logback where standard output is a full pipe that nothing reads. A write to it blocks for ever,
 * with the appender's lock: the context's close would stand at its first line, and the exit at
 * Spring Boot's hook that stops Logback. So the console is detached from the loggers: the lines
 * could not be read anyway, and other appenders go on.
 */
final class BlockedConsole {
  /** How long the console may take for what it has. */
  private static final long PATIENCE_MILLIS = 500;

  private BlockedConsole() {}

  /** Called before the context closes, when the shutdown has logged lines of its own. */
  static void detach(Deadline deadline) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logback && isBlocked(deadline)) {
      // Without any appender Logback would say so on standard error.
      NOPAppender<ILoggingEvent> none = new NOPAppender<>();
      none.setContext(logback);
      none.start();
      logback.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(none);
      logback.getLoggerList().forEach(BlockedConsole::detach);
    }
  }

  /** A write that blocks holds the stream's lock, for which a flush waits. */
  private static boolean isBlocked(Deadline deadline) {
    Thread flush = new Thread(System.out::flush, "lastcall-console");
    flush.setDaemon(true);
    flush.start();
    try {
      flush.join(Math.max(1, Math.min(PATIENCE_MILLIS, deadline.remaining().toMillis() / 10)));
      return flush.isAlive();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void detach(Logger logger) {
    List<Appender<ILoggingEvent>> consoles = new ArrayList<>();
    logger
        .iteratorForAppenders()
        .forEachRemaining(
            appender -> {
              if (isConsole(appender)) {
                consoles.add(appender);
              }
            });
    consoles.forEach(logger::detachAppender);
  }

  /** Or hands what it gets to one. */
  private static boolean isConsole(Appender<?> appender) {
    if (appender instanceof AppenderAttachable<?> others) {
      List<Appender<?>> all = new ArrayList<>();
      others.iteratorForAppenders().forEachRemaining(all::add);
      return all.stream().anyMatch(BlockedConsole::isConsole);
    }
    return appender instanceof ConsoleAppender<?>;
  }
}
