package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

@Timeout(120)
class ReactiveScheduledRunsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class, LastcallWorkAutoConfiguration.class));

  /** Its thread has left the method long before. */
  @Test
  void runThatReturnsAPublisher_isAwaitedToItsEnd() {
    runner
        .withUserConfiguration(Publisher.class)
        .run(
            context -> {
              Publisher publisher = context.getBean(Publisher.class);
              var scheduling = context.getBean(ScheduledAnnotationBeanPostProcessor.class);
              publisher.subscribed.await();
              assertTrue(context.getBean(ProcessShutdown.class).isStoppedFirst(scheduling));
              Awaitility.await().until(() -> ScheduledRuns.openPublishers(scheduling) == 1);
              publisher.release.tryEmitEmpty();
              Awaitility.await().until(() -> ScheduledRuns.openPublishers(scheduling) == 0);
            });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableScheduling
  static class Publisher {
    final CountDownLatch subscribed = new CountDownLatch(1);
    final Sinks.Empty<Void> release = Sinks.empty();

    @Scheduled(fixedRate = 3_600_000)
    Mono<Void> run() {
      return release.asMono().doOnSubscribe(unused -> subscribed.countDown());
    }
  }
}
