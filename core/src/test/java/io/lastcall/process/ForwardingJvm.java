package io.lastcall.process;

import java.util.Optional;

/** For tests that change one thing about a JVM. */
class ForwardingJvm implements Jvm {
  private final Jvm jvm;

  ForwardingJvm(Jvm jvm) {
    this.jvm = jvm;
  }

  @Override
  public boolean claim() {
    return jvm.claim();
  }

  @Override
  public void unclaim() {
    jvm.unclaim();
  }

  @Override
  public Jvm.Binding bind(String signal, Runnable handler) {
    return jvm.bind(signal, handler);
  }

  @Override
  public void addHook(Thread hook) {
    jvm.addHook(hook);
  }

  @Override
  public void removeHook(Thread hook) {
    jvm.removeHook(hook);
  }

  @Override
  public void exit(int code) {
    jvm.exit(code);
  }

  @Override
  public void halt(int code) {
    jvm.halt(code);
  }

  @Override
  public Optional<String> shellAsInit() {
    return jvm.shellAsInit();
  }
}
