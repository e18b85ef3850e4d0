package io.lastcall;

import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.process.ShutdownLog;
import io.lastcall.spi.Extension;
import io.lastcall.time.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The extensions of one shutdown. A started extension that fails affects nothing else. */
final class Extensions {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final List<Extension> all;

  /** The last one started is first. */
  private final List<Extension.Running> running = new CopyOnWriteArrayList<>();

  private Extensions(List<Extension> all) {
    this.all = all;
  }

  static Extensions of(Extension... extensions) {
    return new Extensions(List.of(extensions));
  }

  /** Finds the extensions of core's own class loader, whichever the calling thread has. */
  static Extensions find() {
    ClassLoader loader = Extension.class.getClassLoader();
    return new Extensions(
        ServiceLoader.load(Extension.class, loader).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  Setting<?>[] settings() {
    return all.stream()
        .flatMap(extension -> extension.settings().stream())
        .toArray(Setting<?>[]::new);
  }

  /**
   * @throws IllegalArgumentException if the settings of one do not fit
   */
  void check(ShutdownPlan plan) {
    all.forEach(extension -> extension.check(plan));
  }

  /**
   * @throws IllegalArgumentException if a setting cannot be used here; some may have started
   */
  void start(ShutdownPlan plan, Probes probes, Ticker ticker) {
    all.forEach(extension -> running.add(0, extension.start(plan, probes, ticker)));
  }

  <T extends Extension.Running> Optional<T> running(Class<T> type) {
    return running.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** Calls each, the last one started first. */
  void each(Consumer<Extension.Running> call) {
    for (Extension.Running extension : running) {
      try {
        call.accept(extension);
      } catch (Throwable t) {
        ShutdownLog.warn(log, "An extension failed", t);
      }
    }
  }
}
