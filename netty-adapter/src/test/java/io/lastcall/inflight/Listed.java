package io.lastcall.inflight;

import java.util.List;
import java.util.function.Supplier;

/** What a gate keeps for the list of what is in flight. */
public final class Listed {
  private Listed() {}

  /** Returns how many connections there are whose permits may be asked for. */
  public static int connections(GateControl control) {
    return control.gate().table.attached.size();
  }

  /** Returns how many permits those connections have, in use or kept. */
  public static int permits(GateControl control) {
    return control.gate().table.attached.stream().mapToInt(EventLoopPermits::size).sum();
  }

  /** Returns what the only permit in flight will say of its request, now and later. */
  public static Supplier<String> description(GateControl control) {
    List<InFlight> listed = control.gate().table.list();
    if (listed.size() != 1) {
      throw new AssertionError(listed);
    }
    return listed.get(0)::description;
  }
}
