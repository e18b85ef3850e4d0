package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

@Tag("all")
class CloudStreamTest extends TakerContract {
  private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);
  private int run;

  CloudStreamTest() {
    super(CloudStreamService.class, 2);
    kafka.afterPropertiesSet();
  }

  @AfterAll
  void stop() {
    kafka.destroy();
  }

  private String group() {
    return "group-" + run;
  }

  @Override
  List<String> prepare() {
    run++;
    List<String> topics = Stream.of("orders-", "mails-").map(topic -> topic + run).toList();
    kafka.addTopics(topics.toArray(String[]::new));
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.getBrokersAsString()),
            new StringSerializer(),
            new StringSerializer())) {
      for (String topic : topics) {
        for (int i = 0; i < 40; i++) {
          var unused = producer.send(new ProducerRecord<>(topic, topic + "-" + i));
        }
      }
    }
    return List.of(
        "--spring.cloud.function.definition=orders;mails",
        "--spring.cloud.stream.kafka.binder.brokers=" + kafka.getBrokersAsString(),
        "--spring.cloud.stream.kafka.default.consumer.configuration.max.poll.records=1",
        "--spring.cloud.stream.bindings.orders-in-0.destination=" + topics.get(0),
        "--spring.cloud.stream.bindings.orders-in-0.group=" + group(),
        "--spring.cloud.stream.bindings.mails-in-0.destination=" + topics.get(1),
        "--spring.cloud.stream.bindings.mails-in-0.group=" + group(),
        "--spring.cloud.stream.kafka.default.consumer.start-offset=earliest");
  }

  /** The group has no member, and its offsets are those of what was done. */
  @Override
  void assertLeft(List<String> ended) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.getBrokersAsString()))) {
      var offsets = admin.listConsumerGroupOffsets(group()).partitionsToOffsetAndMetadata().get();
      assertEquals(ended.size(), offsets.values().stream().mapToLong(each -> each.offset()).sum());
      var members =
          admin.describeConsumerGroups(List.of(group())).all().get().values().stream()
              .flatMap(each -> each.members().stream())
              .toList();
      assertEquals(List.of(), members);
    }
  }
}
