package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.spring.work.ListenerApplication;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A service that takes messages, with brokers in this JVM that always have more. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class MessageListenersTest {
  private static final EmbeddedActiveMQ artemis = new EmbeddedActiveMQ();
  private static final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1, "work");
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
  }

  @AfterAll
  static void stopBrokers() throws Exception {
    artemis.stop();
    kafka.destroy();
  }

  @Test
  void sigterm_listenersInAMessage_finishItAndTakeNoOther() throws Exception {
    try (Service service =
        Service.start(
            ListenerApplication.class,
            "--test.jms=" + artemisUrl,
            "--test.kafka=" + kafka.getBrokersAsString(),
            "--lastcall.grace-period=30s",
            // Longer than a message takes: another one would follow.
            "--lastcall.propagation-delay=5s")) {
      service.port();
      sendRecords("m1", "m2", "m3");
      service.awaitLine("begun kafka m1"); // it joins its group first
      sendMessages("m1", "m2", "m3");
      service.awaitLine("begun jms m1");
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      for (String from : List.of("jms m", "kafka m")) {
        assertEquals(1, service.count("begun " + from), service::output);
        assertEquals(1, service.count("ended " + from), service::output);
      }
    }
    assertMessagesLeft(List.of("m2", "m3"));
    assertGroupLeftAfterOneRecord();
  }

  private static void sendRecords(String... records) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String each : records) {
        var unused = producer.send(new ProducerRecord<>("work", each));
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

  private static void assertGroupLeftAfterOneRecord() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.getBrokersAsString()))) {
      var offsets = admin.listConsumerGroupOffsets("workers").partitionsToOffsetAndMetadata().get();
      assertEquals(Map.of(new TopicPartition("work", 0), new OffsetAndMetadata(1)), offsets);
      var members =
          admin.describeConsumerGroups(List.of("workers")).all().get().values().stream()
              .flatMap(group -> group.members().stream())
              .toList();
      assertEquals(List.of(), members);
    }
  }
}
