package io.lastcall.spring.taker;

import java.lang.reflect.AnnotatedElement;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.util.ReflectionUtils;

/**
 * What a bean is: a server, a broker or an executor, which requests need until they are done; a
 * listener; what may take work by itself. By its class's name where no type is common to the kind.
 */
final class BeanKinds {
  private static final String SPRING = "org.springframework.";
  private static final String SPRING_BOOT = "org.springframework.boot.";
  static final String LASTCALL = "io.lastcall.";

  /** What the names of our own beans begin with. */
  static final String OWN_NAME = "lastcall";

  private static final Pattern SERVER = Pattern.compile(".*Server(Lifecycle|Bootstrap|Runner)?");

  /** MongoDB's change streams, Kafka Streams, JobRunr, Temporal, and what others call theirs. */
  private static final Pattern TAKER =
      Pattern.compile(
          ".*(ListenerContainer|StreamsBuilderFactoryBean|Consumer|Poller|Worker|WorkerFactory"
              + "|JobServer|EventProcessor|Subscriber)");

  private static final Pattern BROKER = Pattern.compile(".*Broker.*|Embedded.*");

  private BeanKinds() {}

  /** Returns whether a bean is one of the servers that the shutdown stops itself, or its own. */
  static boolean isOwnServer(String name, @Nullable Class<?> type) {
    return type != null
        && ((name.startsWith(OWN_NAME) && type.getName().startsWith(LASTCALL))
            || (type.getName().startsWith(SPRING_BOOT) && type.getSimpleName().contains("Server")));
  }

  /** Returns whether beans of a class take work from elsewhere, as far as its name says. */
  static boolean isTaker(Class<?> type) {
    return TAKER.matcher(type.getSimpleName()).matches();
  }

  /**
   * Returns whether a class has methods that listen, or run, for a container or scheduler: that one
   * takes, and stops.
   */
  static boolean isListener(Class<?> type) {
    return listens(type)
        || Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type)).anyMatch(BeanKinds::listens);
  }

  /** As {@code @KafkaListener} says; {@code @EventListener} may begin a loop. */
  private static boolean listens(AnnotatedElement element) {
    return MergedAnnotations.from(element).stream()
        .map(annotation -> annotation.getType().getSimpleName())
        .anyMatch(
            name ->
                (name.endsWith("Listener") && !name.endsWith("EventListener"))
                    || name.equals("Scheduled"));
  }

  /**
   * Returns whether no bean of a class takes work from elsewhere, as far as the class says. Of
   * Spring's own most takers are known.
   */
  static boolean isNoTaker(Class<?> type) {
    String simple = type.getSimpleName();
    return !isTaker(type)
        && (Executor.class.isAssignableFrom(type)
            || TaskScheduler.class.isAssignableFrom(type)
            || type.getName().startsWith(SPRING)
            || SERVER.matcher(simple).matches()
            || BROKER.matcher(simple).matches());
  }
}
