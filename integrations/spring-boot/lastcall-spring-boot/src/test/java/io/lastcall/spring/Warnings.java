package io.lastcall.spring;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;

/** What a class of the starter's logs. */
final class Warnings implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();

  Warnings(Class<?> by) {
    logger = (Logger) LoggerFactory.getLogger(by);
    listen();
  }

  private void listen() {
    said.start();
    logger.addAppender(said);
  }

  /** Starts an application and closes it; returns what {@code by} has logged. */
  static List<String> of(Class<?> by, SpringApplication application, String... arguments) {
    try (Warnings warnings = new Warnings(by)) {
      // Again: Spring Boot sets the logging up anew before its context is made.
      application.addInitializers(context -> warnings.listen());
      application.run(arguments).close();
      return warnings.lines();
    }
  }

  List<String> lines() {
    return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(said);
  }
}
