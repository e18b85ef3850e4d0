package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.spring.work.ListenerApplication;
import io.lastcall.spring.work.Qpid;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A service that takes messages, with brokers in this JVM that always have more. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class MessageListenersTest {
  private static final EmbeddedActiveMQ artemis = new EmbeddedActiveMQ();
  private static final EmbeddedKafkaKraftBroker kafka =
      new EmbeddedKafkaKraftBroker(1, 1, "work", "later");
  private static @Nullable Qpid rabbit;
  private static String artemisUrl = "";

  @BeforeAll
  static void startBrokers() throws Exception {
    artemis.setConfiguration(
        new ConfigurationImpl()
            .setPersistenceEnabled(false)
            .setSecurityEnabled(false)
            .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:0"));
    artemis.start();
    artemisUrl =
        "tcp://127.0.0.1:"
            + artemis.getActiveMQServer().getRemotingService().getAcceptor("tcp").getActualPort();
    kafka.afterPropertiesSet();
    rabbit = new Qpid();
    rabbit().queue("work");
    rabbit().queue("later");
  }

  private static Qpid rabbit() {
    return Objects.requireNonNull(rabbit);
  }

  @AfterAll
  static void stopBrokers() throws Exception {
    artemis.stop();
    kafka.destroy();
    rabbit().close();
  }

  @Test
  void sigterm_listenersInAMessage_finishItAndTakeNoOther() throws Exception {
    long later;
    try (Service service =
        Service.start(
            ListenerApplication.class,
            "--test.jms=" + artemisUrl,
            "--test.kafka=" + kafka.getBrokersAsString(),
            "--test.rabbit=" + rabbit().uri(),
            "--lastcall.grace-period=30s",
            // Longer than a message takes: another one would follow.
            "--lastcall.propagation-delay=5s")) {
      service.port();
      sendRecords("later", "l1", "l2", "l3");
      sendRecords("work", "m1", "m2", "m3");
      service.awaitLine("begun kafka m1"); // it joins its group first
      sendMessages("m1", "m2", "m3");
      rabbit().publish("work", "m1", "m2", "m3");
      rabbit().publish("later", "l1", "l2", "l3", "l4");
      service.awaitLine("begun jms m1");
      service.awaitLine("begun rabbit m1");
      service.awaitLine("begun later l1");
      service.awaitLine("begun rabbit later l2");
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      for (String from : List.of("jms m", "kafka m", "rabbit m")) {
        assertEquals(1, service.count("begun " + from), service::output);
        assertEquals(1, service.count("ended " + from), service::output);
      }
      later = service.count("begun later l");
      assertEquals(later, service.count("ended later l"), service::output);
      // As many as the broker gives before the first is acknowledged.
      assertEquals(2, service.count("begun rabbit later l"), service::output);
      assertEquals(2, service.count("ended rabbit later l"), service::output);
    }
    assertMessagesLeft(List.of("m2", "m3"));
    assertEquals(List.of("m2", "m3"), rabbit().takeAll("work"));
    assertEquals(List.of("l3", "l4"), rabbit().takeAll("later"));
    assertGroupLeft("workers", "work", 1);
    assertGroupLeft("later", "later", later);
  }

  private static void sendRecords(String topic, String... records) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String each : records) {
        var unused = producer.send(new ProducerRecord<>(topic, each));
      }
    }
  }

  private static void sendMessages(String... messages) {
    try (ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(artemisUrl);
        JMSContext jms = connections.createContext()) {
      for (String each : messages) {
        jms.createProducer().send(jms.createQueue("work"), each);
      }
    }
  }

  /** None was redelivered, and none is anywhere else. */
  private static void assertMessagesLeft(List<String> expected) throws Exception {
    List<String> left = new ArrayList<>();
    try (ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(artemisUrl);
        JMSContext jms = connections.createContext();
        JMSConsumer consumer = jms.createConsumer(jms.createQueue("work"))) {
      Message next = consumer.receive(1_000);
      while (next != null) {
        left.add(next.getBody(String.class));
        assertFalse(next.getJMSRedelivered());
        next = consumer.receive(1_000);
      }
    }
    assertEquals(expected, left);
  }

  /** Its offset is that of what it has done: the next consumer does none of it again. */
  private static void assertGroupLeft(String group, String topic, long offset) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.getBrokersAsString()))) {
      var offsets = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      assertEquals(
          offset, offsets.get(new TopicPartition(topic, 0)).offset(), () -> offsets.toString());
      var members =
          admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
              .flatMap(each -> each.members().stream())
              .toList();
      assertEquals(List.of(), members);
    }
  }
}
