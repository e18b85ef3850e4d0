package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One thing that can be set: its name, its values, and how it is written. Immutable. What each
 * means and its default is said once, at {@link ShutdownPlan}.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  /** See {@link ShutdownPlan#gracePeriod()}. */
  public static final Setting<Duration> GRACE_PERIOD = duration("grace-period");

  /** See {@link ShutdownPlan#propagationDelay()}. */
  public static final Setting<Duration> PROPAGATION_DELAY = duration("propagation-delay");

  /** See {@link ShutdownPlan#propagationMinimum()}. */
  public static final Setting<Duration> PROPAGATION_MINIMUM = duration("propagation-minimum");

  /** See {@link ShutdownPlan#propagationError()}. */
  public static final Setting<Double> PROPAGATION_ERROR =
      new Setting<>(
          "propagation-error",
          "a probability between 0 and 1, such as 0.01",
          Setting::probability,
          Object::toString);

  /** See {@link ShutdownPlan#propagationRouters()}. */
  public static final Setting<Integer> PROPAGATION_ROUTERS =
      new Setting<>(
          "propagation-routers", "a number from 1 to 100000", Setting::routers, Object::toString);

  /** See {@link ShutdownPlan#preStopDelay()}. */
  public static final Setting<Duration> PRE_STOP_DELAY = duration("pre-stop-delay");

  /** See {@link ShutdownPlan#readinessPolicy()}. */
  public static final Setting<ReadinessPolicy> READINESS_POLICY =
      choice("readiness-policy", ReadinessPolicy.class);

  /** See {@link ShutdownPlan#readinessHold()}. */
  public static final Setting<Duration> READINESS_HOLD = duration("readiness-hold");

  /** See {@link ShutdownPlan#drainTimeout()}. */
  public static final Setting<Duration> DRAIN_TIMEOUT = duration("drain-timeout");

  /** See {@link ShutdownPlan#lateRequests()}. */
  public static final Setting<LateRequestPolicy> LATE_REQUESTS =
      choice("late-requests", LateRequestPolicy.class);

  /** See {@link ShutdownPlan#lateCutoff()}. */
  public static final Setting<Duration> LATE_CUTOFF = duration("late-cutoff");

  /** See {@link ShutdownPlan#closeTimeout()}. */
  public static final Setting<Duration> CLOSE_TIMEOUT = duration("close-timeout");

  /** See {@link ShutdownPlan#closeWindow()}. */
  public static final Setting<Duration> CLOSE_WINDOW = duration("close-window");

  /** See {@link ShutdownPlan#exitTimeout()}. */
  public static final Setting<Duration> EXIT_TIMEOUT = duration("exit-timeout");

  /** See {@link ShutdownPlan#exitDrainTimeout()}. */
  public static final Setting<Duration> EXIT_DRAIN_TIMEOUT = duration("exit-drain-timeout");

  /** See {@link ShutdownPlan#reserve()}. */
  public static final Setting<Duration> RESERVE = duration("reserve");

  /** See {@link ShutdownPlan#cleanExitCode()}. */
  public static final Setting<Integer> CLEAN_EXIT_CODE =
      new Setting<>("clean-exit-code", "0 or 143", Setting::exitCode, Object::toString);

  /** See {@link ShutdownPlan#stopSignals()}. */
  public static final Setting<List<String>> STOP_SIGNALS =
      new Setting<>(
          "stop-signals",
          "signal names separated by commas, such as TERM or TERM,USR2",
          Setting::signals,
          names -> String.join(",", names));

  private static final List<Setting<?>> ALL =
      List.of(
          GRACE_PERIOD,
          PROPAGATION_DELAY,
          PROPAGATION_MINIMUM,
          PROPAGATION_ERROR,
          PROPAGATION_ROUTERS,
          PRE_STOP_DELAY,
          READINESS_POLICY,
          READINESS_HOLD,
          DRAIN_TIMEOUT,
          LATE_REQUESTS,
          LATE_CUTOFF,
          CLOSE_TIMEOUT,
          CLOSE_WINDOW,
          EXIT_TIMEOUT,
          EXIT_DRAIN_TIMEOUT,
          RESERVE,
          CLEAN_EXIT_CODE,
          STOP_SIGNALS);

  private final String name;
  private final String allowed;
  private final Function<String, T> parser;
  private final Function<T, String> formatter;

  private Setting(
      String name, String allowed, Function<String, T> parser, Function<T, String> formatter) {
    this.name = name;
    this.allowed = allowed;
    this.parser = parser;
    this.formatter = formatter;
  }

  /** Returns every setting, in the order of the plan's table. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** Returns its name in the plan, such as {@code grace-period}. */
  public String name() {
    return name;
  }

  /** Returns its system property, such as {@code lastcall.grace-period}. */
  public String property() {
    return "lastcall." + name;
  }

  /** Returns its environment variable, such as {@code LASTCALL_GRACE_PERIOD}. */
  public String variable() {
    return "LASTCALL_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Returns its attribute in {@code @ShutdownSettings}, such as {@code gracePeriod}. */
  String attribute() {
    StringBuilder attribute = new StringBuilder();
    for (String word : name.split("-", -1)) {
      attribute.append(
          attribute.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return attribute.toString();
  }

  /**
   * Reads a value as text.
   *
   * @param origin where the text is from, for the message
   * @throws IllegalArgumentException naming origin, text and what is allowed
   */
  T parse(String text, String origin) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s=%s: %s; allowed: %s".formatted(origin, text, e.getMessage(), allowed), e);
    }
  }

  String format(T value) {
    return formatter.apply(value);
  }

  /**
   * Checks a value given in code; anything but a duration by writing it and reading it back: one
   * set of rules for both.
   *
   * @return the value in its canonical form
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  T check(T value) {
    String text = value instanceof Duration ? value.toString() : format(value);
    try {
      if (value instanceof Duration duration) {
        Durations.check(duration);
        return value;
      }
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s=%s (code): %s; allowed: %s".formatted(name, text, e.getMessage(), allowed), e);
    }
  }

  private static Setting<Duration> duration(String name) {
    return new Setting<>(name, Durations.ALLOWED, Durations::parse, Durations::format);
  }

  private static <E extends Enum<E>> Setting<E> choice(String name, Class<E> type) {
    List<String> names = Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
    return new Setting<>(
        name,
        String.join(", ", names),
        text -> Enum.valueOf(type, canonical(text, names)),
        Enum::name);
  }

  private static String canonical(String text, List<String> names) {
    String wanted = text.trim().toUpperCase(Locale.ROOT).replace('-', '_');
    if (!names.contains(wanted)) {
      throw new IllegalArgumentException("it is not one of these");
    }
    return wanted;
  }

  private static Integer exitCode(String text) {
    return switch (text.trim()) {
      case "0" -> 0;
      case "143" -> 143;
      default -> throw new IllegalArgumentException("it would not read as a clean exit");
    };
  }

  private static Double probability(String text) {
    double value;
    try {
      value = Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it is not a number", e);
    }
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException("it is out of range");
    }
    return value;
  }

  private static Integer routers(String text) {
    String digits = text.trim();
    if (!digits.matches("\\d{1,6}")) {
      throw new IllegalArgumentException("it is not a whole number in range");
    }
    int value = Integer.parseInt(digits);
    if (value < 1 || value > 100_000) {
      throw new IllegalArgumentException("it is out of range");
    }
    return value;
  }

  private static List<String> signals(String text) {
    List<String> names =
        Arrays.stream(text.split(",", -1))
            .map(name -> name.trim().toUpperCase(Locale.ROOT).replaceFirst("^SIG", ""))
            .distinct()
            .toList();
    if (names.stream().anyMatch(name -> !name.matches("[A-Z][A-Z0-9]*"))) {
      throw new IllegalArgumentException("it is not a list of signal names");
    }
    return names;
  }
}
