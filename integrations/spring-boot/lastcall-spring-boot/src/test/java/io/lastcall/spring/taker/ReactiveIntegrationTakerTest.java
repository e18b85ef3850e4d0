package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.aop.Advice;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.aggregator.AggregatingMessageHandler;
import org.springframework.integration.aggregator.SimpleMessageGroupProcessor;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.channel.NullChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.endpoint.SourcePollingChannelAdapter;
import org.springframework.integration.gateway.MessagingGatewaySupport;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.messaging.support.GenericMessage;

/** Reactor is there, which Spring Integration needs. */
@Timeout(60)
class ReactiveIntegrationTakerTest {
  /** Its client's thread is in a message as it stops. */
  private static final class Feed extends MessageProducerSupport {
    void receive() {
      sendMessage(new GenericMessage<>("order"));
    }
  }

  @Test
  void stopTaking_adapterInAMessage_isFinishedAfterIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    DirectChannel orders = new DirectChannel();
    orders.subscribe(
        message -> {
          begun.countDown();
          await(release);
        });
    Feed feed = new Feed();
    feed.setOutputChannel(orders);
    WorkSource source = AdapterSource.of(feed);
    Thread client = new Thread(feed::receive, "client");
    client.start();
    begun.await();
    source.stopTaking();
    CompletableFuture<?> finished = source.finished().toCompletableFuture();
    assertThrows(TimeoutException.class, () -> finished.get(200, TimeUnit.MILLISECONDS));
    release.countDown();
    client.join();
    Object unused = finished.get();
    assertFalse(feed.isRunning());
  }

  private static final class QueueInboundGateway extends MessagingGatewaySupport {}

  private static final class CalledGateway extends MessagingGatewaySupport {}

  /** As those of AMQP, JMS, Kafka and Redis do; a service's own gateway is called by its code. */
  @Test
  void stopTaking_inboundGateway_stops_andNoOtherGatewayIsATaker() throws Exception {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Aggregating.class)) {
      QueueInboundGateway gateway = new QueueInboundGateway();
      gateway.setBeanFactory(context);
      gateway.setRequestChannel(new NullChannel());
      gateway.afterPropertiesSet();
      gateway.start();
      WorkSource source = Objects.requireNonNull(IntegrationTaker.source(gateway, List.of()));
      source.stopTaking();
      Object unused = source.finished().toCompletableFuture().get();
      assertFalse(gateway.isRunning());
    }
    assertNull(IntegrationTaker.source(new CalledGateway(), List.of()));
  }

  private static void await(CountDownLatch release) {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void refuse_groupThatIsNotComplete_isLost() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(Aggregating.class)) {
      AggregatingMessageHandler aggregator = context.getBean(AggregatingMessageHandler.class);
      HeldMessages.refuse(aggregator);
      aggregator.handleMessage(new GenericMessage<>("first"));
      String said =
          assertThrows(IllegalStateException.class, () -> HeldMessages.refuse(aggregator))
              .getMessage();
      assertTrue(said.endsWith("lost: 1"), said);
      aggregator.handleMessage(new GenericMessage<>("second"));
      HeldMessages.refuse(aggregator);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableIntegration
  static class Aggregating {
    @Bean
    AggregatingMessageHandler aggregator() {
      AggregatingMessageHandler aggregator =
          new AggregatingMessageHandler(new SimpleMessageGroupProcessor());
      aggregator.setCorrelationStrategy(message -> "one");
      aggregator.setReleaseStrategy(group -> group.size() == 2);
      aggregator.setOutputChannel(new NullChannel());
      return aggregator;
    }
  }

  /** Its thread is between its poller's look at the number and the poll, as the trigger comes. */
  @Test
  void stopTaking_pollThatIsAboutToBegin_takesNothing() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    SourcePollingChannelAdapter poller = new SourcePollingChannelAdapter();
    WorkSource source = Objects.requireNonNull(IntegrationTaker.source(poller, List.of()));
    List<?> advices = (List<?>) Objects.requireNonNull(SpringInternals.POLLER_ADVICES.of(poller));
    Callable<Integer> poll =
        () -> {
          ProxyFactory proxy = new ProxyFactory();
          proxy.addInterface(Callable.class);
          proxy.setTarget((Callable<Integer>) taken::incrementAndGet);
          proxy.addAdvice((Advice) advices.get(0));
          return (Integer) ((Callable<?>) proxy.getProxy()).call();
        };
    assertEquals(1, poll.call());
    source.stopTaking();
    assertNull(poll.call());
    assertEquals(1, taken.get());
    Object unused = source.finished().toCompletableFuture().get();
  }

  @Test
  void stopTaking_leader_stepsDownOnceTheEndpointsOfItsRoleAreDone() throws Exception {
    CountDownLatch revoked = new CountDownLatch(1);
    LockRegistryLeaderInitiator leader =
        new LockRegistryLeaderInitiator(
            new DefaultLockRegistry(),
            new DefaultCandidate() {
              @Override
              public void onRevoked(Context context) {
                revoked.countDown();
              }
            });
    leader.setApplicationEventPublisher(event -> {});
    leader.start();
    Awaitility.await().until(() -> leader.getContext().isLeader());
    CountDownLatch message = new CountDownLatch(1);
    WorkSource endpoint = WorkSource.ofBlockingStop(message::await);
    WorkSource source = IntegrationTaker.leads(leader, List.of(endpoint));
    endpoint.stopTaking();
    source.stopTaking();
    CompletableFuture<?> finished = source.finished().toCompletableFuture();
    assertThrows(TimeoutException.class, () -> finished.get(200, TimeUnit.MILLISECONDS));
    assertTrue(leader.isRunning());
    message.countDown();
    revoked.await();
    Object unused = finished.get();
  }
}
