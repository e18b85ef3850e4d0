package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Listener containers within adapters of Spring Integration. An adapter's own stop waits for its
 * container as long as the container's timeout says, 5 or 10 s, and then goes on.
 */
final class InnerContainers {
  private InnerContainers() {}

  /** Returns the source of the first container, in a field, of a kind that is known. */
  static Optional<WorkSource> of(@Nullable Object adapter, List<TakerBeans> kinds) {
    return SpringInternals.containers(adapter).stream()
        .flatMap(value -> kinds.stream().map(kind -> kind.source(value)))
        .filter(Objects::nonNull)
        .findFirst();
  }
}
