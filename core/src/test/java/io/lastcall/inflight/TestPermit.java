package io.lastcall.inflight;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request as an adapter would hold it. */
public class TestPermit extends Permit {
  private final String description;
  private final @Nullable Thread thread;

  /** Creates a permit whose thread nobody knows. */
  public TestPermit(String description) {
    this(description, null);
  }

  /** Creates a permit that {@code thread} works on. */
  public TestPermit(String description, @Nullable Thread thread) {
    this.description = description;
    this.thread = thread;
  }

  @Override
  protected String description() {
    return description;
  }

  @Override
  protected Optional<Duration> age() {
    return Optional.of(Duration.ofMillis(1500));
  }

  @Override
  protected Optional<Thread> thread() {
    return Optional.ofNullable(thread);
  }
}
