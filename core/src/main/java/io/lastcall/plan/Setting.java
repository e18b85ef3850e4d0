package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  /** See {@link ShutdownPlan#propagationRouters()}. */
  public static final Setting<Integer> PROPAGATION_ROUTERS =
      new Setting<>(
          "propagation-routers",
          "a number from 1 to 100000",
          SettingText::routers,
          Object::toString);

  /** See {@link ShutdownPlan#preStopDelay()}. */
  public static final Setting<Duration> PRE_STOP_DELAY = duration("pre-stop-delay");

  /** See {@link ShutdownPlan#preStopToken()}. Its text is never shown. */
  public static final Setting<ProbeToken> PRE_STOP_TOKEN =
      new Setting<>("pre-stop-token", ProbeToken.ALLOWED, ProbeToken::of, ProbeToken::toString);

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

  /** See {@link ShutdownPlan#closeTimeout()}. */
  public static final Setting<Duration> CLOSE_TIMEOUT = duration("close-timeout");

  /** See {@link ShutdownPlan#exitTimeout()}. */
  public static final Setting<Duration> EXIT_TIMEOUT = duration("exit-timeout");

  /** See {@link ShutdownPlan#exitDrainTimeout()}. */
  public static final Setting<Duration> EXIT_DRAIN_TIMEOUT = duration("exit-drain-timeout");

  /** See {@link ShutdownPlan#reserve()}. */
  public static final Setting<Duration> RESERVE = duration("reserve");

  /** See {@link ShutdownPlan#cleanExitCode()}. */
  public static final Setting<Integer> CLEAN_EXIT_CODE =
      new Setting<>("clean-exit-code", "0 or 143", SettingText::exitCode, Object::toString);

  /** See {@link ShutdownPlan#stopSignals()}. */
  public static final Setting<List<String>> STOP_SIGNALS =
      new Setting<>(
          "stop-signals",
          "signal names separated by commas, such as TERM or TERM,USR1",
          SettingText::signals,
          names -> String.join(",", names));

  /** See {@link ShutdownPlan#reportFile()}. */
  public static final Setting<Optional<Path>> REPORT_FILE = file("report-file");

  /** See {@link ShutdownPlan#reportLog()}. */
  public static final Setting<ReportLog> REPORT_LOG = choice("report-log", ReportLog.class);

  private static final List<Setting<?>> ALL =
      List.of(
          GRACE_PERIOD,
          PROPAGATION_DELAY,
          PROPAGATION_MINIMUM,
          PROPAGATION_ROUTERS,
          PRE_STOP_DELAY,
          PRE_STOP_TOKEN,
          READINESS_POLICY,
          READINESS_HOLD,
          DRAIN_TIMEOUT,
          LATE_REQUESTS,
          CLOSE_TIMEOUT,
          EXIT_TIMEOUT,
          EXIT_DRAIN_TIMEOUT,
          RESERVE,
          CLEAN_EXIT_CODE,
          STOP_SIGNALS,
          REPORT_LOG,
          REPORT_FILE);

  private static final String PROBE_SERVER = "lastcall-probe-server";

  /** Settings of artifacts that may not be there: any value but off is refused by name. */
  private static final List<Setting<?>> ELSEWHERE =
      List.of(
          absent("probe-port", PROBE_SERVER),
          absent("readiness-file", PROBE_SERVER),
          absent("readiness-port", PROBE_SERVER));

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

  /** Returns every setting of core's, in the order of the plan's table. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** Returns, for each setting of an artifact, one that refuses all values but off. */
  static List<Setting<?>> elsewhere() {
    return ELSEWHERE;
  }

  private static Setting<?> absent(String name, String artifact) {
    return optional(
        name,
        "that artifact beside lastcall-core",
        text -> {
          throw new IllegalArgumentException(
              "it is a setting of %s, which is missing".formatted(artifact));
        });
  }

  /**
   * Makes a setting of an extension's, which is off by default.
   *
   * @param name words in lower case with hyphens, such as {@code probe-port}
   * @param allowed in words, {@code off} aside
   * @param parser throws IllegalArgumentException saying what is wrong with the text
   */
  public static <T> Setting<Optional<T>> optional(
      String name, String allowed, Function<String, T> parser) {
    return new Setting<>(
        name, allowed + ", or off", SettingText.optional(parser), SettingText::orOff);
  }

  /** Makes a setting that is an absolute path, off by default; as {@link #optional}. */
  public static Setting<Optional<Path>> file(String name) {
    return optional(name, "an absolute path", SettingText::file);
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
  public T parse(String text, String origin) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s=%s: %s; allowed: %s".formatted(origin, shown(text), e.getMessage(), allowed), e);
    }
  }

  private String shown(String text) {
    return equals(PRE_STOP_TOKEN) ? "(hidden)" : text;
  }

  String format(T value) {
    return formatter.apply(value);
  }

  /**
   * Checks a value given in code by writing it and reading it back: one set of rules for both.
   *
   * @return the value in its canonical form
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  T check(T value) {
    // A duration whole: formatted it has no more than milliseconds.
    String text = value instanceof Duration ? value.toString() : format(value);
    try {
      // A token is checked where it is made, and its text is not to be had again.
      return value instanceof ProbeToken ? value : parser.apply(text);
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
        text -> Enum.valueOf(type, SettingText.canonical(text, names)),
        Enum::name);
  }
}
