package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.lastcall.spring.work.ListenerApplication;
import io.lastcall.testing.FreePort;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.qpid.server.SystemLauncher;
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
  private static final SystemLauncher qpid = new SystemLauncher();
  private static final ConnectionFactory rabbit = new ConnectionFactory();
  private static String artemisUrl = "";
  private static String rabbitUri = "";

  /** Speaks AMQP 0-9-1, as RabbitMQ does. */
  private static final String QPID =
      """
      {
        "name": "embedded",
        "modelVersion": "9.1",
        "authenticationproviders": [
          {"name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
           "users": [{"name": "guest", "type": "managed", "password": "guest"}]}],
        "ports": [
          {"name": "amqp", "port": "%d", "bindingAddress": "127.0.0.1",
           "authenticationProvider": "plain", "protocols": ["AMQP_0_9_1"],
           "virtualhostaliases": [{"name": "byName", "type": "nameAlias"}]}],
        "virtualhostnodes": [
          {"name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
           "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"}]
      }
      """;

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
    startQpid();
  }

  private static void startQpid() throws Exception {
    int port = FreePort.next();
    Path file = Files.createTempFile("qpid", ".json");
    Files.writeString(file, QPID.formatted(port));
    qpid.startup(Map.of("type", "Memory", "initialConfigurationLocation", file.toUri().toString()));
    Files.delete(file);
    rabbitUri = "amqp://guest:guest@127.0.0.1:" + port + "/default";
    rabbit.setUri(rabbitUri);
    try (Connection connection = rabbit.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("work", true, false, false, Map.of());
    }
  }

  @AfterAll
  static void stopBrokers() throws Exception {
    artemis.stop();
    kafka.destroy();
    qpid.shutdown();
  }

  @Test
  void sigterm_listenersInAMessage_finishItAndTakeNoOther() throws Exception {
    long later;
    try (Service service =
        Service.start(
            ListenerApplication.class,
            "--test.jms=" + artemisUrl,
            "--test.kafka=" + kafka.getBrokersAsString(),
            "--test.rabbit=" + rabbitUri,
            "--lastcall.grace-period=30s",
            // Longer than a message takes: another one would follow.
            "--lastcall.propagation-delay=5s")) {
      service.port();
      sendRecords("later", "l1", "l2", "l3");
      sendRecords("work", "m1", "m2", "m3");
      service.awaitLine("begun kafka m1"); // it joins its group first
      sendMessages("m1", "m2", "m3");
      publish("m1", "m2", "m3");
      service.awaitLine("begun jms m1");
      service.awaitLine("begun rabbit m1");
      service.awaitLine("begun later l1");
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      for (String from : List.of("jms m", "kafka m", "rabbit m")) {
        assertEquals(1, service.count("begun " + from), service::output);
        assertEquals(1, service.count("ended " + from), service::output);
      }
      later = service.count("begun later l");
      assertEquals(later, service.count("ended later l"), service::output);
    }
    assertMessagesLeft(List.of("m2", "m3"));
    assertEquals(List.of("m2", "m3"), published());
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

  private static void publish(String... messages) throws Exception {
    try (Connection connection = rabbit.newConnection();
        Channel channel = connection.createChannel()) {
      for (String each : messages) {
        channel.basicPublish("", "work", null, each.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** What has been published and not been acknowledged. */
  private static List<String> published() throws Exception {
    List<String> left = new ArrayList<>();
    try (Connection connection = rabbit.newConnection();
        Channel channel = connection.createChannel()) {
      GetResponse next = channel.basicGet("work", true);
      while (next != null) {
        left.add(new String(next.getBody(), StandardCharsets.UTF_8));
        next = channel.basicGet("work", true);
      }
    }
    return left;
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
