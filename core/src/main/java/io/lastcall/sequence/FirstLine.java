package io.lastcall.sequence;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.Setting;
import io.lastcall.process.ShutdownLog;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first line of a shutdown: what began it, until when it may take, what it does now.
 *
 * @param context the shutdown
 * @param left the time that it has
 */
public record FirstLine(ShutdownContext context, Duration left) {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** Apart from the class: the JDK reads the time zones from a file, which may fail. */
  private static final class Clock {
    static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());
  }

  /** Reads the time zones while file descriptors are left. */
  public static void prepare() {
    var unused = Clock.TIME.format(Instant.EPOCH);
  }

  /** Logs it. A JVM that simply ends says no more than the report's line. */
  public static void log(ShutdownContext context) {
    if (context.trigger().kind() != Kind.JVM_EXIT || context.gate().gate().inFlight() > 0) {
      FirstLine line = new FirstLine(context, context.budget().halt().remaining());
      ShutdownLog.write(line::write);
    }
  }

  private void write() {
    Trigger trigger = context.trigger();
    log.atInfo()
        .addKeyValue("trigger", trigger.kind())
        .log(
            "Shutdown begun by {}, gone by {} at the latest ({}).{}{}",
            trigger.reason(),
            Clock.TIME.format(context.recorder().began().plus(left)),
            seconds(left),
            next(),
            isPreStopUnknown()
                ? " A preStop hook that ran before is not counted: set pre-stop-delay."
                : "");
  }

  private String next() {
    Duration keepServing = context.budget().keepServing();
    if (!keepServing.isZero()) {
      return " Serving on for " + seconds(keepServing) + " while routers learn.";
    }
    return context.budget().routed() ? "" : " Not serving on: no server registered.";
  }

  private boolean isPreStopUnknown() {
    return context.trigger().kind() == Kind.STOP_SIGNAL
        && !context.budget().keepServing().isZero()
        && context.plan().value(Setting.PRE_STOP_DELAY).isDefault();
  }

  private static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
  }
}
