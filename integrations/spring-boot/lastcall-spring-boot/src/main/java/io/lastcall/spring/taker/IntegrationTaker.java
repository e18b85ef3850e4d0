package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.channel.QueueChannel;
import org.springframework.integration.endpoint.AbstractEndpoint;
import org.springframework.integration.endpoint.AbstractPollingEndpoint;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.endpoint.PollingConsumer;
import org.springframework.integration.gateway.MessagingGatewaySupport;
import org.springframework.integration.handler.DelayHandler;
import org.springframework.integration.store.MessageGroupQueue;
import org.springframework.integration.support.management.IntegrationManagedResource;
import org.springframework.messaging.support.ChannelInterceptor;

/**
 * Spring Integration. What polls or listens outside of the process stops; a queue in memory is
 * work, and its poller goes on until it is empty.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(IntegrationManagedResource.class)
final class IntegrationTaker {
  /** Endpoints that are servers: requests come to them. */
  private static final Pattern SERVING =
      Pattern.compile(
          "org\\.springframework\\.integration\\.(http|webflux|ws|websocket|rsocket|grpc|graphql|ip|syslog)\\..*");

  /** Gateways that take requests from a broker; others are called from within the process. */
  private static final Pattern INBOUND = Pattern.compile(".*Inbound[^.]*");

  @Bean
  static BeanPostProcessor lastcallQueueChannels(ObjectProvider<Takers> takers) {
    return new Queues(takers);
  }

  @Bean
  SmartInitializingSingleton lastcallIntegrationEndpoints(
      ConfigurableApplicationContext context, Takers takers, ObjectProvider<TakerBeans> kinds) {
    return () -> {
      List<WorkSource> ofLeaders = new ArrayList<>();
      context
          .getBeansOfType(AbstractEndpoint.class, false, true)
          .forEach(
              (name, endpoint) -> {
                WorkSource source = add(name, endpoint, takers, kinds.stream().toList());
                if (source != null && endpoint.getRole() != null) {
                  ofLeaders.add(source);
                }
              });
      context
          .getBeansOfType(SmartLifecycle.class, false, true)
          .forEach(
              (name, bean) -> {
                if (bean.getClass().getSimpleName().endsWith("LeaderInitiator")) {
                  takers.stopFirst(name, bean, leads(bean, ofLeaders));
                }
              });
    };
  }

  /**
   * A leader works until it steps down, as Spring has it do first. Not while an endpoint of its
   * role has a message in work, since that would be interrupted.
   */
  static WorkSource leads(SmartLifecycle leader, List<WorkSource> endpoints) {
    return WorkSource.ofBlockingStop(
        () -> {
          for (WorkSource each : endpoints) {
            Object unused = each.finished().toCompletableFuture().handle((done, t) -> "").get();
          }
          leader.stop();
        });
  }

  /** Apart, since handlers need Reactor, which a service without any may leave out. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DelayHandler.class)
  static final class Holding {
    @Bean
    SmartInitializingSingleton lastcallHeldMessages(
        ConfigurableApplicationContext context, Takers takers) {
      return () -> HeldMessages.lookFor(context, takers);
    }
  }

  private static @Nullable WorkSource add(
      String name, AbstractEndpoint endpoint, Takers takers, List<TakerBeans> kinds) {
    if (endpoint instanceof PollingConsumer consumer
        && consumer.getInputChannel() instanceof QueueChannel channel
        && isInMemory(channel)) {
      channel.getInterceptors().stream()
          .filter(CountedMessages.class::isInstance)
          .forEach(each -> ((CountedMessages) each).consumed());
      return null;
    }
    WorkSource source = source(endpoint, kinds);
    if (source != null) {
      takers.stopFirst(name, endpoint, source);
    }
    return source;
  }

  static @Nullable WorkSource source(AbstractEndpoint endpoint, List<TakerBeans> kinds) {
    if (endpoint instanceof AbstractPollingEndpoint polling) {
      return polls(polling);
    }
    if (SERVING.matcher(endpoint.getClass().getName()).matches()) {
      return null;
    }
    if (endpoint instanceof MessageProducerSupport producer) {
      return listens(producer, kinds, AdapterSource.of(producer));
    }
    return endpoint instanceof MessagingGatewaySupport
            && INBOUND.matcher(endpoint.getClass().getName()).matches()
        ? listens(endpoint, kinds, WorkSource.ofBlockingStop(endpoint::stop))
        : null;
  }

  private static WorkSource listens(
      AbstractEndpoint endpoint, List<TakerBeans> kinds, WorkSource own) {
    return new JointSource(() -> List.of(InnerContainers.of(endpoint, kinds).orElse(own)));
  }

  /**
   * Its own stop interrupts the poll in progress. A poll that has not seen the number yet is
   * counted before it looks again, so that none begins once all have ended.
   */
  private static WorkSource polls(AbstractPollingEndpoint endpoint) {
    if (!SpringInternals.POLLER_ADVICES.isIn(endpoint)) {
      return WorkSource.ofBlockingStop(endpoint::stop);
    }
    AtomicLong inProgress = new AtomicLong();
    List<Advice> chain = new ArrayList<>();
    chain.add(
        (MethodInterceptor)
            call -> {
              inProgress.incrementAndGet();
              try {
                return endpoint.getMaxMessagesPerPoll() == 0 ? null : call.proceed();
              } finally {
                inProgress.decrementAndGet();
              }
            });
    if (SpringInternals.POLLER_ADVICES.of(endpoint) instanceof Collection<?> own) {
      own.forEach(advice -> chain.add((Advice) advice));
    }
    endpoint.setAdviceChain(chain);
    return WorkSource.ofCounted(() -> endpoint.setMaxMessagesPerPoll(0), inProgress::get);
  }

  /** Others, of a message store, hold what another process can take. */
  private static boolean isInMemory(QueueChannel channel) {
    return !SpringInternals.CHANNEL_QUEUE.isIn(channel)
        || !(SpringInternals.CHANNEL_QUEUE.of(channel) instanceof MessageGroupQueue);
  }

  private record Queues(ObjectProvider<Takers> takers) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof QueueChannel channel && isInMemory(channel)) {
        ChannelInterceptor counting =
            new CountedMessages(() -> takers.getObject().shutdown().work("channel " + name));
        channel.addInterceptor(counting);
      }
      return bean;
    }
  }
}
