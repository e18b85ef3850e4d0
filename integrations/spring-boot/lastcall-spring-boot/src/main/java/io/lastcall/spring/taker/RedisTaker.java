package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.Subscription;

/**
 * Redis: streams, and publish and subscribe. Both containers say that they have stopped while
 * messages are in work.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisMessageListenerContainer.class)
final class RedisTaker {
  @Bean
  static TakerBeans lastcallRedis(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, RedisTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    if (bean instanceof StreamMessageListenerContainer<?, ?> streams) {
      boolean unused = SpringInternals.REDIS_SUBSCRIPTIONS.isIn(streams); // or says so
      return WorkSource.ofCounted(streams::stop, () -> reading(streams));
    }
    return bean instanceof RedisMessageListenerContainer topics ? messages(topics) : null;
  }

  /** A subscription is active until the messages of its last read are handled. */
  private static long reading(StreamMessageListenerContainer<?, ?> streams) {
    return List.copyOf((List<?>) SpringInternals.REDIS_SUBSCRIPTIONS.of(streams)).stream()
        .filter(each -> each instanceof Subscription subscription && subscription.isActive())
        .count();
  }

  /** Each message is a task of the container's executor. */
  private static WorkSource messages(RedisMessageListenerContainer topics) {
    if (!SpringInternals.REDIS_EXECUTOR.isIn(topics)) {
      return WorkSource.ofCounted(
          topics::stop,
          () -> {
            throw SpringInternals.REDIS_EXECUTOR.missing(topics); // not clean, then
          });
    }
    AtomicLong inProgress = new AtomicLong();
    if (SpringInternals.REDIS_EXECUTOR.of(topics) instanceof Executor executor) {
      topics.setTaskExecutor(task -> executor.execute(counted(task, inProgress)));
    }
    return WorkSource.ofCounted(topics::stop, inProgress::get);
  }

  private static Runnable counted(Runnable task, AtomicLong inProgress) {
    inProgress.incrementAndGet();
    return () -> {
      try {
        task.run();
      } finally {
        inProgress.decrementAndGet();
      }
    };
  }
}
