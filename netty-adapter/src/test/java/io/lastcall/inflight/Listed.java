package io.lastcall.inflight;

/** What a gate keeps for the list of what is in flight. */
public final class Listed {
  private Listed() {}

  /** Returns how many connections there are whose permits may be asked for. */
  public static int connections(GateControl control) {
    return control.gate().table().attached().size();
  }

  /** Returns how many permits those connections have, in use or kept. */
  public static int permits(GateControl control) {
    return control.gate().table().attached().stream().mapToInt(EventLoopPermits::size).sum();
  }
}
