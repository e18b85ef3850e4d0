package io.lastcall.spring.internals;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What the starter reaches by a name that no compiler checks: in Spring, and in the libraries that
 * Spring's beans stand for. Each is looked for before it is used. Where one is missing, a WARN says
 * what is lost by it, and a shutdown that cannot count without it is not clean. Thread-safe.
 */
public enum SpringInternals {
  /**
   * A pool takes the decorator it has when it is made, and the application's must go on to work.
   */
  TASK_DECORATOR(
      "taskDecorator",
      "its tasks are not counted, and the shutdown does not wait for them",
      "org.springframework.core.task.SimpleAsyncTaskExecutor#taskDecorator",
      "org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor#taskDecorator",
      "org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler#taskDecorator"),

  /** A scheduler's store, which is not asked for triggers any more once the scheduler stops. */
  QUARTZ_STORE(
      "sched.resources",
      "Quartz may fire one trigger more",
      "org.quartz.impl.StdScheduler#sched",
      "org.quartz.core.QuartzScheduler#resources"),

  /** Each is active until the messages of its last read are handled. */
  REDIS_SUBSCRIPTIONS(
      "subscriptions",
      "its messages in work are not awaited",
      "org.springframework.data.redis.stream.DefaultStreamMessageListenerContainer#subscriptions"),

  /** Each message is a task of it. */
  REDIS_EXECUTOR(
      "taskExecutor",
      "its messages in work are not awaited",
      "org.springframework.data.redis.listener.RedisMessageListenerContainer#taskExecutor"),

  /** Whether the client of a Kafka container commits whole polls. */
  KAFKA_CONSUMERS(
      "consumerFactory",
      "it stops at the end of a poll only",
      "org.springframework.kafka.listener.AbstractMessageListenerContainer#consumerFactory"),

  /**
   * Offsets that a container of asynchronous acknowledgements has not committed; null in others.
   */
  KAFKA_UNACKNOWLEDGED(
      "listenerConsumer.offsetsInThisBatch",
      "its records in work are not awaited, and another consumer gets them again",
      "org.springframework.kafka.listener.KafkaMessageListenerContainer#listenerConsumer",
      "org.springframework.kafka.listener.KafkaMessageListenerContainer$ListenerConsumer#offsetsInThisBatch"),

  /** Records that another thread has acknowledged, and the consumer's own has not committed. */
  KAFKA_ACKNOWLEDGED(
      "listenerConsumer.acks",
      "records that are acknowledged after its stop are done again without a word",
      "org.springframework.kafka.listener.KafkaMessageListenerContainer#listenerConsumer",
      "org.springframework.kafka.listener.KafkaMessageListenerContainer$ListenerConsumer#acks"),

  /** Runs of {@code @Scheduled} methods that return a publisher, by their beans. */
  SCHEDULED_PUBLISHERS(
      "reactiveSubscriptions",
      "runs that a publisher goes on with are not awaited",
      "org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor#reactiveSubscriptions"),

  /** What a binding of Spring Cloud Stream starts and stops. */
  BINDING_ENDPOINT(
      "lifecycle",
      "its messages in work are awaited for 10 s at most",
      "org.springframework.cloud.stream.binder.DefaultBinding#lifecycle"),

  /** Of a channel of Spring Integration: in memory, or of a message store. */
  CHANNEL_QUEUE(
      "queue",
      "its messages are counted as ones in memory",
      "org.springframework.integration.channel.QueueChannel#queue"),

  /** Of an aggregator or a delayer of Spring Integration: in memory, or of a database. */
  HELD_MESSAGES(
      "messageStore",
      "the messages that it holds are lost without a word",
      "org.springframework.integration.aggregator.AbstractCorrelatingMessageHandler#messageStore",
      "org.springframework.integration.handler.DelayHandler#messageStore"),

  /** The application's own advices of a poller, which must go on to work. */
  POLLER_ADVICES(
      "adviceChain",
      "its poll in progress is interrupted",
      "org.springframework.integration.endpoint.AbstractPollingEndpoint#adviceChain");

  /** As which Spring runs a task of a {@code Trigger}: each run is scheduled by itself. */
  public static final String TRIGGER_RUN =
      "org.springframework.scheduling.concurrent.ReschedulingRunnable";

  /** Which makes the executors of STOMP's three channels. */
  public static final String STOMP =
      "org.springframework.messaging.simp.config.AbstractMessageBrokerConfiguration";

  /** Spring Boot's bean that closes the meter registries as its context begins to close. */
  public static final String METER_REGISTRY_CLOSER = "meterRegistryCloser";

  private static final Logger log = LoggerFactory.getLogger(SpringInternals.class);

  /** What was said: an application may have several beans of a class. */
  private static final Set<String> said = ConcurrentHashMap.newKeySet();

  private final String path;
  private final String lost;

  @SuppressWarnings("ImmutableEnumChecker") // of List.of
  private final List<String> fields;

  SpringInternals(String path, String lost, String... fields) {
    this.path = path;
    this.lost = lost;
    this.fields = List.of(fields);
  }

  /** Returns all fields, as {@code class#field}: a native image must be told of them. */
  public static List<String> fields() {
    return Arrays.stream(values()).flatMap(each -> each.fields.stream()).toList();
  }

  /** Returns whether an object has the field; a WARN says what is lost where it has not. */
  public boolean isIn(Object owner) {
    boolean there = new DirectFieldAccessor(owner).isReadableProperty(path);
    if (!there) {
      warn(owner.getClass().getName() + " has no field " + path, lost);
    }
    return there;
  }

  /**
   * Returns the field's value.
   *
   * @throws IllegalStateException if there is no such field
   */
  public @Nullable Object of(Object owner) {
    DirectFieldAccessor fields = new DirectFieldAccessor(owner);
    if (!fields.isReadableProperty(path)) {
      throw missing(owner);
    }
    return fields.getPropertyValue(path);
  }

  /** Returns what a shutdown fails with that cannot count by the field, so that it is not clean. */
  public IllegalStateException missing(Object owner) {
    return new IllegalStateException(
        "%s has no field %s here: %s".formatted(owner.getClass().getName(), path, lost));
  }

  /**
   * Says so where a class is missing whose library is there.
   *
   * @param lost what is lost by it
   */
  public static void checkClass(String name, String lost) {
    if (!ClassUtils.isPresent(name, SpringInternals.class.getClassLoader())) {
      warn("There is no class " + name, lost);
    }
  }

  private static void warn(String missing, String lost) {
    if (said.add(missing)) {
      log.warn("{} here: {}", missing, lost);
    }
  }

  /**
   * Returns the listener containers within an adapter of Spring Integration, whatever its kind:
   * none if it has none, and then the adapter itself is stopped.
   */
  public static List<Object> containers(@Nullable Object adapter) {
    List<Object> containers = new ArrayList<>();
    Class<?> type = adapter == null ? Object.class : adapter.getClass();
    for (; adapter != null && isIntegration(type); type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (isContainer(field)) {
          ReflectionUtils.makeAccessible(field);
          Object value = ReflectionUtils.getField(field, adapter);
          if (value != null) {
            containers.add(value);
          }
        }
      }
    }
    return containers;
  }

  /** Returns whether a field holds a listener container within an adapter. */
  public static boolean isContainer(Field field) {
    return field.getName().endsWith("ontainer") && isIntegration(field.getDeclaringClass());
  }

  private static boolean isIntegration(Class<?> type) {
    return type.getName().startsWith("org.springframework.integration.");
  }
}
