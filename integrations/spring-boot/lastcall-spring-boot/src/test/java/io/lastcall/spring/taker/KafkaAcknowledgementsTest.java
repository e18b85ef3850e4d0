package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A listener that gives its records, and their acknowledgements, to another thread. */
@Timeout(300)
@Tag("all")
class KafkaAcknowledgementsTest {
  private static final EmbeddedKafkaKraftBroker broker =
      new EmbeddedKafkaKraftBroker(1, 1, "orders");

  private final BlockingQueue<Acknowledgment> given = new LinkedBlockingQueue<>();

  @BeforeAll
  static void startBroker() {
    broker.afterPropertiesSet();
  }

  @AfterAll
  static void stopBroker() {
    broker.destroy();
  }

  private ConcurrentMessageListenerContainer<String, String> started(AckMode mode) {
    ContainerProperties properties = new ContainerProperties("orders");
    properties.setGroupId("of " + mode);
    properties.setAckMode(mode);
    properties.setMessageListener(
        (AcknowledgingMessageListener<String, String>) (order, own) -> given.add(own));
    var container =
        new ConcurrentMessageListenerContainer<String, String>(
            new DefaultKafkaConsumerFactory<>(
                Map.of(
                    ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                    broker.getBrokersAsString(),
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    "earliest"),
                new StringDeserializer(),
                new StringDeserializer()),
            properties);
    container.start();
    return container;
  }

  private static void send(String... orders) {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String each : orders) {
        var unused = producer.send(new ProducerRecord<>("orders", each));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = AckMode.class,
      names = {"MANUAL", "MANUAL_IMMEDIATE"})
  void refuse_acknowledgedAfterTheStop_fails(AckMode mode) throws Exception {
    send("o1", "o2");
    var container = started(mode);
    Acknowledgment first = given.take();
    Acknowledgment second = given.take();
    List<Collection<?>> late = KafkaAcknowledgements.late(container);
    first.acknowledge();
    Awaitility.await().until(() -> late.stream().allMatch(Collection::isEmpty));
    container.stop();
    KafkaAcknowledgements.refuse(late); // the row without
    second.acknowledge();
    assertThrows(IllegalStateException.class, () -> KafkaAcknowledgements.refuse(late));
  }
}
