package io.lastcall;

import io.lastcall.process.Jvm;
import io.lastcall.spi.SimulatedProcess;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A simulated process, as the library sees a JVM. Every shutdown has one of its own, so there is no
 * claim to fight for; its JVM hook is dropped, since no other code calls the exit there.
 */
final class SimulatedJvm implements Jvm {
  /** Not the real file: tests may run in a pod themselves. */
  private static final Path NO_TERMINATION_MESSAGE = Path.of("no-such-directory", "message");

  private final SimulatedProcess process;

  SimulatedJvm(SimulatedProcess process) {
    this.process = process;
  }

  @Override
  public boolean claim() {
    return true;
  }

  @Override
  public void unclaim() {}

  @Override
  public Binding bind(String signal, Runnable handler) {
    process.onSignal(signal, handler);
    return new Binding(Status.BOUND, "", () -> process.onSignal(signal, () -> {}));
  }

  @Override
  public void addHook(Thread hook) {}

  @Override
  public void removeHook(Thread hook) {}

  @Override
  public void exit(int code) {
    process.ended(code);
  }

  @Override
  public void halt(int code) {
    process.ended(code);
  }

  @Override
  public Path terminationMessage() {
    return NO_TERMINATION_MESSAGE;
  }

  @Override
  public Optional<String> shellAsInit() {
    return Optional.empty();
  }
}
