package io.lastcall.name;

import io.lastcall.process.ShutdownLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One object for each name, made when the name is first asked for, and who listens for a new one.
 * Thread-safe.
 *
 * @param <T> the kind of object
 */
public final class ByName<T> {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final String what;
  private final Function<String, T> maker;
  private final Map<String, T> all = new ConcurrentSkipListMap<>();
  private final List<Consumer<? super T>> listeners = new CopyOnWriteArrayList<>();

  /**
   * Creates one without any object.
   *
   * @param what they are, for logs and reports
   * @param maker makes the object of a name, of which one is kept; throws for what is no name
   */
  public ByName(String what, Function<String, T> maker) {
    this.what = what;
    this.maker = maker;
  }

  /**
   * Returns a name, if it is printable text.
   *
   * @param what is named, for the refusal
   * @throws IllegalArgumentException if it is blank or holds control characters
   */
  public static String printable(String what, String name) {
    Objects.requireNonNull(name, "name must not be null");
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "name='%s' of %s is blank or holds control characters; allowed: printable text"
              .formatted(name, what));
    }
    return name;
  }

  /** Returns the object of a name: one and the same for each call. */
  public T get(String name) {
    Objects.requireNonNull(name, "name must not be null");
    T known = all.get(name);
    if (known != null) {
      return known;
    }
    T made = maker.apply(name);
    T first = all.putIfAbsent(name, made);
    if (first != null) {
      return first;
    }
    listeners.forEach(listener -> notify(listener, name, made));
    return made;
  }

  /** Returns the object of a name, if there is one. */
  public Optional<T> find(String name) {
    return Optional.ofNullable(all.get(name));
  }

  /** Returns the objects, in the order of their names. */
  public Stream<T> each() {
    return all.values().stream();
  }

  /** Returns in words how many each one has, unless it has none: {@code 3 of work 'mail'}. */
  public List<String> describe(ToLongFunction<? super T> count) {
    List<String> words = new ArrayList<>();
    all.forEach(
        (name, each) -> {
          long number = count.applyAsLong(each);
          if (number > 0) {
            words.add(number + " of " + what + " '" + name + "'");
          }
        });
    return words;
  }

  /**
   * Calls {@code listener} for each object there is, and for each new one on the thread that makes
   * it; rarely twice for one. What it throws is logged.
   */
  public void onEach(Consumer<? super T> listener) {
    listeners.add(listener);
    all.forEach((name, each) -> notify(listener, name, each));
  }

  /** Catches errors, too: the request that makes the first object of a name goes on. */
  private void notify(Consumer<? super T> listener, String name, T each) {
    try {
      listener.accept(each);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A listener failed that was told of {} '{}'", what, name, t);
    }
  }
}
