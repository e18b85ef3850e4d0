package io.lastcall.probe.server;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.spi.Extension;
import io.lastcall.time.Ticker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Shows readiness as a file or a port that exists exactly while it passes. Found by core. */
public final class ReadinessSigns implements Extension {
  static final Setting<Optional<Path>> FILE =
      Setting.file(
          "readiness-file",
          "A file that exists exactly while ready, for exec probes. Default: off.");

  static final Setting<Optional<Integer>> PORT =
      Setting.optional(
          "readiness-port",
          "A port that is open exactly while ready, for tcpSocket probes. Default: off.",
          "a port from 1 to 65535",
          ReadinessSigns::parse);

  /** For {@link java.util.ServiceLoader}. */
  public ReadinessSigns() {}

  /** A port that a manifest can name. */
  private static Integer parse(String digits) {
    Integer port = ProbePort.parse(digits);
    if (port == 0) {
      throw new IllegalArgumentException("it is any port");
    }
    return port;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(FILE, PORT);
  }

  @Override
  public void check(ShutdownPlan plan) {
    refuseShared(plan.value(FILE), plan.value(Setting.REPORT_FILE), "a file of its own");
    refuseShared(plan.value(PORT), plan.value(ProbePort.PORT), "a port of its own");
  }

  private static <T> void refuseShared(
      PlanValue<Optional<T>> given, PlanValue<Optional<T>> other, String allowed) {
    if (given.value().isPresent() && given.value().equals(other.value())) {
      throw given.refusal("it is the %s, too; allowed: %s".formatted(other.name(), allowed), null);
    }
  }

  @Override
  public Running start(ShutdownPlan plan, Probes probes, Ticker ticker) {
    List<ReadinessSign> signs = new ArrayList<>();
    sign(plan.value(FILE), ReadinessFile::new).ifPresent(signs::add);
    sign(plan.value(PORT), ReadinessPort::new).ifPresent(signs::add);
    return signs.isEmpty() ? deadline -> {} : ReadinessWatch.start(signs, probes, ticker);
  }

  private static <T> Optional<ReadinessSign> sign(
      PlanValue<Optional<T>> setting, Function<T, ReadinessSign> maker) {
    try {
      return setting.value().map(maker);
    } catch (IllegalArgumentException e) {
      throw setting.refusal(String.valueOf(e.getMessage()), e);
    }
  }
}
