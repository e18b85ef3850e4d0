package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Listener containers within adapters of Spring Integration. An adapter's own stop waits for its
 * container as long as the container's timeout says, 5 or 10 s, and then goes on.
 */
final class InnerContainers {
  private InnerContainers() {}

  /** Returns the source of the first container, in a field, of a kind that is known. */
  static Optional<WorkSource> of(@Nullable Object adapter, List<TakerBeans> kinds) {
    return values(adapter)
        .flatMap(value -> kinds.stream().map(kind -> kind.source(value)))
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static Stream<Object> values(@Nullable Object adapter) {
    Stream<Object> values = Stream.of();
    Class<?> type = adapter == null ? Object.class : adapter.getClass();
    while (adapter != null && type.getName().startsWith("org.springframework.integration.")) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().endsWith("ontainer")) {
          ReflectionUtils.makeAccessible(field);
          values =
              Stream.concat(values, Stream.ofNullable(ReflectionUtils.getField(field, adapter)));
        }
      }
      type = type.getSuperclass();
    }
    return values;
  }
}
