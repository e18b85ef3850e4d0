package io.lastcall.examples.work.kafka;

import io.lastcall.examples.work.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;

/** A KRaft node in this JVM, with a topic and a group of its own for each shutdown. */
public final class KafkaBacklog implements Backlog {
  private final KafkaClusterTestKit cluster;
  private int topics;

  public KafkaBacklog() throws Exception {
    TestKitNodes nodes =
        new TestKitNodes.Builder()
            .setCombined(true)
            .setNumBrokerNodes(1)
            .setNumControllerNodes(1)
            .build();
    cluster =
        new KafkaClusterTestKit.Builder(nodes)
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .build();
    cluster.format();
    cluster.startup();
    cluster.waitForReadyBrokers();
  }

  private Map<String, Object> config() {
    return Map.of(
        "bootstrap.servers",
        cluster.bootstrapServers(),
        "group.id",
        topic(),
        "enable.auto.commit",
        "false");
  }

  private String topic() {
    return "orders-" + topics;
  }

  @Override
  public List<String> arguments() {
    return List.of(cluster.bootstrapServers(), topic(), "LEAVE_GROUP");
  }

  @Override
  public void add(List<String> orders) throws Exception {
    topics++;
    try (Admin admin = Admin.create(config());
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
      admin.createTopics(List.of(new NewTopic(topic(), 1, (short) 1))).all().get();
      List<Future<?>> sent = new ArrayList<>();
      for (String order : orders) {
        sent.add(producer.send(new ProducerRecord<>(topic(), order)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /** With a member that has not left, its partitions belong to nobody until it times out. */
  @Override
  public int hidden() throws Exception {
    return members() == 0 ? 0 : uncommitted().size();
  }

  @Override
  public List<String> takeAll() throws Exception {
    return members() == 0 ? uncommitted() : List.of();
  }

  private List<String> uncommitted() {
    TopicPartition partition = new TopicPartition(topic(), 0);
    List<String> taken = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(config(), new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
      consumer.seek(partition, committed == null ? 0 : committed.offset());
      while (consumer.currentLag(partition).orElse(1) > 0) {
        consumer.poll(Duration.ofSeconds(1)).forEach(each -> taken.add(each.value()));
      }
    }
    return taken;
  }

  /** Returns how many members the group has. */
  public int members() throws Exception {
    try (Admin admin = Admin.create(config())) {
      return admin
          .describeConsumerGroups(List.of(topic()))
          .all()
          .get()
          .values()
          .iterator()
          .next()
          .members()
          .size();
    }
  }

  @Override
  public void close() {
    try {
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
