package io.lastcall.agent;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;

/** Has Lastcall itself, and a server; what its step prints is its own shutdown's. */
final class InstallingApplication {
  private InstallingApplication() {}

  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().install();
    shutdown.step(
        Phase.EXIT, "own", context -> System.out.println("the application's own shutdown"));
    TomcatApplication.main(args);
  }
}
