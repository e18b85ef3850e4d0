package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.scheduling.annotation.Scheduled;

/** What is no taker, whatever it is called or has running. */
class BeanKindsTest {
  static class OrderConsumer {
    @KafkaListener(topics = "orders")
    void order(String order) {}

    void close() {}
  }

  static class InheritingConsumer extends OrderConsumer {}

  @KafkaListener(topics = "orders")
  static class WholeConsumer {}

  static class LoopOfAListener {
    @EventListener
    void ready(String event) {}
  }

  static class OutboxPoller {
    @Scheduled(fixedDelay = 1)
    void poll() {}
  }

  static class LoopConsumer {
    void listener() {}
  }

  @Test
  void isListener_methodsThatAContainerCalls_areNoTakersThemselves() {
    assertTrue(BeanKinds.isListener(OrderConsumer.class));
    assertTrue(BeanKinds.isListener(InheritingConsumer.class));
    assertTrue(BeanKinds.isListener(WholeConsumer.class));
    assertTrue(BeanKinds.isListener(OutboxPoller.class));
    assertFalse(BeanKinds.isListener(LoopConsumer.class));
    assertFalse(BeanKinds.isListener(LoopOfAListener.class));
  }

  /** As an exporter of telemetry, and the check of a framework for its updates. */
  @Test
  void isOfLibrary_classOutsideOfTheApplicationsPackages_unlessTheyAreUnknown() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    assertFalse(OwnThreads.of(beans).isOfLibrary("io.opentelemetry.sdk.logs.export.Processor"));
    AutoConfigurationPackages.register(beans, "com.acme.shop");
    OwnThreads threads = OwnThreads.of(beans);
    assertTrue(threads.isOfLibrary("io.opentelemetry.sdk.logs.export.Processor"));
    assertFalse(threads.isOfLibrary("com.acme.shop.orders.Engine"));
    assertFalse(threads.isOfLibrary("com.acme.engine.Engine"));
  }
}
