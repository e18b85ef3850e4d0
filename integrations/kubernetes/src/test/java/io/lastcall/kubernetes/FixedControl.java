package io.lastcall.kubernetes;

import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what a shutdown is asked for; declared are 30 s. */
final class FixedControl implements ShutdownControl {
  final List<String> asked = new CopyOnWriteArrayList<>();
  final Deadline start;
  volatile Duration killed = Duration.ofSeconds(30);
  volatile Duration waited = Duration.ZERO;
  volatile boolean deleted;

  FixedControl() {
    this(Ticker.system());
  }

  FixedControl(Ticker ticker) {
    start = Deadline.after(Duration.ZERO, ticker);
  }

  @Override
  public void stop(String reason) {
    asked.add("stop: " + reason);
  }

  @Override
  public Optional<Deadline> killed() {
    return Optional.of(start.plus(killed));
  }

  @Override
  public boolean shorten(Deadline at, Duration before, String reason) {
    killed = start.until(at);
    waited = before;
    asked.add("shorten: " + reason);
    return true;
  }

  @Override
  public void podStays() {
    asked.add("podStays");
  }

  @Override
  public void podIsDeleted() {
    deleted = true;
  }
}
