package io.lastcall.probe.server;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.spi.Extension;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the probes on a port of their own, from {@code install()} to the exit; port 0 is any that
 * is free. Found by core.
 */
public final class ProbePort implements Extension {
  static final Setting<Optional<Integer>> PORT =
      Setting.optional(
          "probe-port",
          "The probes on a port of their own, until the exit; 0 takes a free one. Default: off.",
          "a port from 0 to 65535",
          ProbePort::parse);

  private static final Logger log = LoggerFactory.getLogger(ProbePort.class);

  /** For {@link java.util.ServiceLoader}. */
  public ProbePort() {}

  static Integer parse(String digits) {
    if (!digits.matches("\\d{1,5}") || Integer.parseInt(digits) > 65_535) {
      throw new IllegalArgumentException("it is no port");
    }
    return Integer.valueOf(digits);
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(PORT);
  }

  @Override
  public Running start(ShutdownPlan plan, Probes probes, Ticker ticker) {
    PlanValue<Optional<Integer>> port = plan.value(PORT);
    return port.value().isEmpty() ? deadline -> {} : listen(probes, port.value().get(), port);
  }

  private static Running listen(Probes probes, int port, PlanValue<?> setting) {
    try {
      ProbeServer server = ProbeServer.start(probes, port);
      log.info("Probes are answered on port {}", server.port());
      return server::close;
    } catch (IOException e) {
      throw setting.refusal(e.getMessage() + "; allowed: a port that is free", e);
    }
  }
}
