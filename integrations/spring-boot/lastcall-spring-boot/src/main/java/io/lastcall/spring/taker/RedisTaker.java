package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.DirectFieldAccessor;
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
  private static final Logger log = LoggerFactory.getLogger(RedisTaker.class);

  @Bean
  static TakerBeans lastcallRedis(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, RedisTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    if (bean instanceof StreamMessageListenerContainer<?, ?> streams) {
      return WorkSource.ofCounted(streams::stop, () -> reading(streams));
    }
    return bean instanceof RedisMessageListenerContainer topics ? messages(topics) : null;
  }

  /** A subscription is active until the messages of its last read are handled. */
  private static long reading(StreamMessageListenerContainer<?, ?> streams) {
    DirectFieldAccessor fields = new DirectFieldAccessor(streams);
    if (fields.isReadableProperty("subscriptions")
        && fields.getPropertyValue("subscriptions") instanceof List<?> all) {
      return List.copyOf(all).stream()
          .filter(each -> each instanceof Subscription subscription && subscription.isActive())
          .count();
    }
    throw new IllegalStateException(
        streams.getClass().getName() + " has no field subscriptions here");
  }

  /** Each message is a task of the container's executor. */
  private static WorkSource messages(RedisMessageListenerContainer topics) {
    AtomicLong inProgress = new AtomicLong();
    DirectFieldAccessor fields = new DirectFieldAccessor(topics);
    if (fields.isReadableProperty("taskExecutor")
        && fields.getPropertyValue("taskExecutor") instanceof Executor executor) {
      topics.setTaskExecutor(task -> executor.execute(counted(task, inProgress)));
    } else {
      log.warn(
          "Messages in work are not awaited: {} has no field taskExecutor here",
          topics.getClass().getName());
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
