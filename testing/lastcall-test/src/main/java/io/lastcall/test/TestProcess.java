package io.lastcall.test;

import io.lastcall.spi.SimulatedProcess;
import io.lastcall.time.Ticker;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A process whose signals the test raises, and whose end is only noted. Thread-safe. */
final class TestProcess implements SimulatedProcess {
  private final Ticker ticker;
  private final Map<String, String> environment;
  private final Properties properties;
  private final Map<String, Runnable> handlers = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Integer> exitCode = new AtomicReference<>();

  TestProcess(Ticker ticker, Map<String, String> environment, Properties properties) {
    this.ticker = ticker;
    this.environment = environment;
    this.properties = properties;
  }

  @Override
  public Ticker ticker() {
    return ticker;
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public Properties properties() {
    return properties;
  }

  @Override
  public void onSignal(String signal, Runnable handler) {
    handlers.put(signal, handler);
  }

  /**
   * Returns what handles a signal.
   *
   * @throws IllegalArgumentException if nothing does
   */
  Runnable handler(String signal) {
    Runnable handler = handlers.get(signal);
    if (handler == null) {
      throw new IllegalArgumentException(
          "SIG%s is not handled; allowed: %s".formatted(signal, handlers.keySet()));
    }
    return handler;
  }

  @Override
  public void ended(int code) {
    exitCode.compareAndSet(null, code);
  }

  OptionalInt exitCode() {
    Integer code = exitCode.get();
    return code == null ? OptionalInt.empty() : OptionalInt.of(code);
  }
}
