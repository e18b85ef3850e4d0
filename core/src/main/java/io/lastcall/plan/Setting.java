package io.lastcall.plan;

import static io.lastcall.plan.SettingType.DURATION;
import static io.lastcall.plan.SettingType.EXIT_CODE;
import static io.lastcall.plan.SettingType.FILE;
import static io.lastcall.plan.SettingType.ROUTERS;
import static io.lastcall.plan.SettingType.SIGNALS;
import static io.lastcall.plan.SettingType.TOKEN;
import static io.lastcall.plan.SettingType.choice;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * One setting: its name, its values, its meaning and its default. Immutable.
 *
 * <p>The constants are the table of core's settings. A new one is a constant here, an accessor of
 * {@link ShutdownPlan}, a setter of {@code GracefulShutdownBuilder}, an attribute of {@code
 * ShutdownSettings}, a row of {@code docs/settings.md} and an entry of the Spring Boot starter's
 * metadata. Its sentence stands here and at the setter. Tests compare it, and name what is missing.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
  private static final List<Setting<?>> ALL = new ArrayList<>();

  public static final Setting<Duration> GRACE_PERIOD =
      core(
          "grace-period",
          DURATION,
          "The pod's terminationGracePeriodSeconds, which a process cannot read. Default: 30s.");

  public static final Setting<Duration> PROPAGATION_DELAY =
      core(
          "propagation-delay",
          DURATION,
          "How long to serve on while routers learn that the pod is going. Default: 15s, at "
              + "most half the grace period, or what a short one leaves; 0s outside Kubernetes, "
              + "and without a server.");

  public static final Setting<Duration> PROPAGATION_MINIMUM =
      core(
          "propagation-minimum",
          DURATION,
          "The earliest end of the propagation delay, where silence is evidence. Default: the "
              + "delay.");

  public static final Setting<Integer> PROPAGATION_ROUTERS =
      core(
          "propagation-routers",
          ROUTERS,
          "How many routers send here: nodes with kube-proxy, or ingress replicas. Default: 10.");

  public static final Setting<Duration> PRE_STOP_DELAY =
      core(
          "pre-stop-delay",
          DURATION,
          "The preStop hook's sleep: part of the grace period and of propagation. Default: 0s.");

  /** Its text is never shown. */
  public static final Setting<ProbeToken> PRE_STOP_TOKEN =
      core("pre-stop-token", TOKEN, "The secret that opens /prestop and /lameduck. Default: off.");

  public static final Setting<ReadinessPolicy> READINESS_POLICY =
      core(
          "readiness-policy",
          choice(ReadinessPolicy.class),
          "When readiness fails: AFTER_PROPAGATION, IMMEDIATE or NEVER. Default: "
              + "AFTER_PROPAGATION.");

  public static final Setting<Duration> READINESS_HOLD =
      core(
          "readiness-hold",
          DURATION,
          "How long to serve on after readiness fails. Default: 0s; up to 10s if connections "
              + "still come.");

  public static final Setting<Duration> DRAIN_TIMEOUT =
      core("drain-timeout", DURATION, "How long DRAIN may take. Default: what remains.");

  public static final Setting<LateRequestPolicy> LATE_REQUESTS =
      core(
          "late-requests",
          choice(LateRequestPolicy.class),
          "What happens to new requests in DRAIN: SERVE or REJECT. Default: SERVE.");

  public static final Setting<Duration> CLOSE_TIMEOUT =
      core(
          "close-timeout",
          DURATION,
          "How long CLOSE_CONNECTIONS may take. Default: 5s, at most a quarter of the rest.");

  public static final Setting<Duration> EXIT_TIMEOUT =
      core(
          "exit-timeout",
          DURATION,
          "What is kept for EXIT. Default: 1s, at most a quarter of what the reserve leaves.");

  public static final Setting<Duration> EXIT_DRAIN_TIMEOUT =
      core(
          "exit-drain-timeout",
          DURATION,
          "The longest DRAIN after a System.exit of the application. Default: 5s.");

  public static final Setting<Duration> RESERVE =
      core(
          "reserve",
          DURATION,
          "How long before SIGKILL the process is gone at the latest. Default: 1s, the least; "
              + "500ms of a short grace period.");

  public static final Setting<Integer> CLEAN_EXIT_CODE =
      core(
          "clean-exit-code",
          EXIT_CODE,
          "The exit code of a clean shutdown: 0 or 143. Default: 0; 143 by a signal without a "
              + "server.");

  public static final Setting<List<String>> STOP_SIGNALS =
      core(
          "stop-signals",
          SIGNALS,
          "The signals that mean stop, for images with another STOPSIGNAL. Default: TERM.");

  public static final Setting<ReportLog> REPORT_LOG =
      core(
          "report-log",
          choice(ReportLog.class),
          "The report and the plan in the log: LINES, or ONE_LINE for collectors. Default: LINES.");

  public static final Setting<Optional<Path>> REPORT_FILE =
      core("report-file", FILE, "Where the report is written as JSON at the end. Default: off.");

  /** Settings of an artifact that may be missing: then any value but off is refused by name. */
  private static final List<Setting<?>> ELSEWHERE =
      List.of(absent("probe-port"), absent("readiness-file"), absent("readiness-port"));

  private final String name;
  private final SettingType<T> type;
  private final String words;

  private Setting(String name, SettingType<T> type, String words) {
    this.name = name;
    this.type = type;
    this.words = words;
  }

  private static <T> Setting<T> core(String name, SettingType<T> type, String words) {
    Setting<T> setting = new Setting<>(name, type, words);
    ALL.add(setting);
    return setting;
  }

  private static Setting<?> absent(String name) {
    return optional(
        name,
        "Default: off.",
        "that artifact beside lastcall-core",
        text -> {
          throw new IllegalArgumentException(
              "it is a setting of lastcall-probe-server, which is missing");
        });
  }

  /**
   * Makes a setting of an extension's, which is off by default.
   *
   * @param name words in lower case with hyphens, such as {@code probe-port}
   * @param words its meaning and its default, for documentation; ends in {@code Default: off.}
   * @param allowed in words, {@code off} aside
   * @param parser throws IllegalArgumentException saying what is wrong with the text
   */
  public static <T> Setting<Optional<T>> optional(
      String name, String words, String allowed, Function<String, T> parser) {
    return new Setting<>(name, SettingType.optional(allowed, parser), words);
  }

  /** Makes a setting that is an absolute path, off by default; as {@link #optional}. */
  public static Setting<Optional<Path>> file(String name, String words) {
    return new Setting<>(name, FILE, words);
  }

  /** Returns core's settings, in the order of the plan's table. */
  public static List<Setting<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** Returns, for each setting of an artifact, one that refuses all values but off. */
  static List<Setting<?>> elsewhere() {
    return ELSEWHERE;
  }

  /** Returns its name in the plan, such as {@code grace-period}. */
  public String name() {
    return name;
  }

  /**
   * Returns its meaning and its default: {@code How long DRAIN may take. Default: what remains.}
   */
  public String words() {
    return words;
  }

  /** Returns its system property, such as {@code lastcall.grace-period}. */
  public String property() {
    return "lastcall." + name;
  }

  /** Returns its environment variable, such as {@code LASTCALL_GRACE_PERIOD}. */
  public String variable() {
    return "LASTCALL_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /**
   * Reads a value as text.
   *
   * @param origin where the text is from, for the message
   * @throws IllegalArgumentException naming origin, text and what is allowed
   */
  public T parse(String text, String origin) {
    try {
      return type.parser().apply(text);
    } catch (IllegalArgumentException e) {
      String shown = equals(PRE_STOP_TOKEN) ? "(hidden)" : text;
      throw new IllegalArgumentException(
          "%s=%s: %s; allowed: %s".formatted(origin, shown, e.getMessage(), type.allowed()), e);
    }
  }

  /** Returns the value that the words of the default begin with. */
  T usual() {
    return parse(words.replaceFirst(".*Default: ([^,;.]*).*", "$1"), name);
  }

  String format(T value) {
    return type.formatter().apply(value);
  }

  /**
   * Checks a value given in code by writing it and reading it back: one set of rules for both.
   *
   * @return the value in its canonical form
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  T check(T value) {
    if (value instanceof ProbeToken) {
      return value; // checked where it is made; its text is hidden
    }
    // A duration in ISO: formatted it has no more than milliseconds.
    String text = value instanceof Duration ? value.toString() : format(value);
    try {
      return type.parser().apply(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s=%s (code): %s; allowed: %s".formatted(name, text, e.getMessage(), type.allowed()), e);
    }
  }
}
