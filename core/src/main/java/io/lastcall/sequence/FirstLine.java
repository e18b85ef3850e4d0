package io.lastcall.sequence;

import io.lastcall.phase.Trigger.Kind;
import io.lastcall.process.ShutdownLog;
import io.lastcall.text.Words;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first line of a shutdown: what began it, how long it may take, what it does now. */
final class FirstLine {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** A holder: loading the time zones opens a file, which fails when no descriptor is left. */
  private static final class Clock {
    static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());
  }

  /** Reads the time zones while file descriptors are left. */
  static void prepare() {
    var unused = Clock.TIME.format(Instant.EPOCH);
  }

  private FirstLine() {}

  /** Logs the line. Where a JVM simply ends, the report's line is enough. */
  static void log(ShutdownContext context) {
    if (context.trigger().kind() != Kind.JVM_EXIT || context.gate().gate().inFlight() > 0) {
      ShutdownLog.write(() -> write(context));
    }
  }

  private static void write(ShutdownContext context) {
    Duration limit = context.plan().untilHalt();
    Duration keepServing = context.budget().keepServing();
    String why = context.budget().started() ? "no server registered." : "start-up is not over.";
    String next = context.budget().routed() ? "" : " Not serving on: " + why;
    if (!keepServing.isZero()) {
      next =
          " Serving on for %s while routers learn%s."
              .formatted(
                  Words.of(keepServing),
                  context.plan().isShort()
                      ? ", and finishing requests meanwhile: time is short"
                      : "");
    }
    log.atInfo()
        .addKeyValue("trigger", context.trigger().kind())
        .log(
            "Shutdown begun by {}, gone by {} at the latest ({}).{}",
            context.trigger().reason(),
            Clock.TIME.format(context.recorder().began().plus(limit)),
            Words.of(limit),
            next);
  }
}
