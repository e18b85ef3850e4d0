package io.lastcall.faults.subject;

import io.lastcall.phase.Phase;
import io.lastcall.report.ShutdownListener;

/** A listener that breaks as DRAIN begins. */
final class BrokenListener implements ShutdownListener {
  private final Runnable act;

  BrokenListener(Runnable act) {
    this.act = act;
  }

  @Override
  public void phaseStarted(Phase phase) {
    if (phase == Phase.DRAIN) {
      act.run();
    }
  }
}
