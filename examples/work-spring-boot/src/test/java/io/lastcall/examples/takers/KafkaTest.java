package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** All records come with one poll, which the grace period does not hold. */
@Tag("all")
class KafkaTest extends TakerContract {
  private static final int RECORDS = 40;
  private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);
  private String topic = "";
  private int run;

  KafkaTest() {
    super(KafkaService.class, 1);
    kafka.afterPropertiesSet();
  }

  @AfterAll
  void stop() {
    kafka.destroy();
  }

  @Override
  List<String> prepare() {
    run++;
    topic = "orders-" + run;
    kafka.addTopics(topic);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        var unused = producer.send(new ProducerRecord<>(topic, "record-" + i));
      }
    }
    return List.of(
        "--orders.topic=" + topic,
        "--spring.kafka.bootstrap-servers=" + kafka.getBrokersAsString(),
        "--spring.kafka.consumer.auto-offset-reset=earliest");
  }

  /** What was polled and not begun is not committed. */
  @Override
  void assertLeft(List<String> ended) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.getBrokersAsString()))) {
      assertEquals(
          Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(ended.size())),
          admin.listConsumerGroupOffsets(topic).partitionsToOffsetAndMetadata().get());
    }
  }
}
