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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    Map<String, Integer> begun;
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
      service.awaitLine("Shutdown begun");
      begun = begun(service);
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(begun, begun(service), service::output);
      begun.forEach(
          (from, number) ->
              assertEquals(number, (int) service.count("ended " + from), service::output));
    }
    assertMessagesLeft(List.of("m1", "m2", "m3").subList(begun.get("jms m"), 3));
    assertEquals(
        List.of("m1", "m2", "m3").subList(begun.get("rabbit m"), 3), rabbit().takeAll("work"));
    assertEquals(
        List.of("l1", "l2", "l3", "l4").subList(begun.get("rabbit later l"), 4),
        rabbit().takeAll("later"));
    assertGroupLeft("workers", "work", begun.get("kafka m"));
    assertGroupLeft("later", "later", begun.get("later l"));
  }

  /** On a slow machine a listener has begun its second when another begins its first. */
  private static Map<String, Integer> begun(Service service) {
    return Stream.of("jms m", "kafka m", "rabbit m", "later l", "rabbit later l")
        .collect(Collectors.toMap(from -> from, from -> (int) service.count("begun " + from)));
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
