package io.lastcall.propagation;

import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.TestPermit;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;

/** A history as its own sampler writes it, in time that moves by hand. */
public final class History {
  private History() {}

  /**
   * Returns a history of {@code seconds}, in each of which {@code arrivals} came, half of them in
   * each half of it: by new connections of many clients.
   */
  public static ArrivalHistory of(
      GateControl gate, ManualTicker ticker, int seconds, IntToLongFunction arrivals) {
    return ofHalves(
        gate,
        ticker,
        seconds,
        half -> {
          long all = arrivals.applyAsLong(half / 2);
          for (int i = 0; i < (half % 2 == 0 ? all / 2 : all - all / 2); i++) {
            request(gate, gate.gate().accepted(address(i)));
          }
        });
  }

  /** Returns a history of {@code seconds}, each half of which brings {@code traffic}. */
  public static ArrivalHistory ofHalves(
      GateControl gate, ManualTicker ticker, int seconds, IntConsumer traffic) {
    gate.observeArrivals();
    ArrivalHistory history = new ArrivalHistory(gate::started, gate.arrivals(), ticker);
    Background<Boolean> sampler =
        Background.run(
            () -> {
              history.sample();
              return true;
            });
    for (int half = 0; half < 2 * seconds; half++) {
      ticker.awaitParked(sampler.thread());
      traffic.accept(half);
      ticker.advance(Duration.ofMillis(500));
    }
    ticker.awaitParked(sampler.thread());
    history.stop();
    sampler.result();
    return history;
  }

  /** A request has come, by a connection that is new or not. */
  public static void request(GateControl gate, AcceptedConnection connection) {
    gate.gate().cameBy(connection);
    TestPermit permit = new TestPermit("GET /");
    if (!gate.gate().enter(permit) || !permit.release()) {
      throw new AssertionError("refused");
    }
  }

  /** The address of one of many clients. */
  public static InetSocketAddress address(int client) {
    try {
      byte[] address = {10, 0, (byte) (client >> Byte.SIZE), (byte) client};
      return new InetSocketAddress(InetAddress.getByAddress(address), 40_000);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
