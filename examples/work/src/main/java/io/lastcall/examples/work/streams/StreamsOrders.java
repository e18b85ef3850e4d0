package io.lastcall.examples.work.streams;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.work.WorkSource;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;

/** Takes orders from a topic by Kafka Streams. */
public final class StreamsOrders {
  private StreamsOrders() {}

  /** Arguments: brokers; the topic, which is the application's id, too. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Properties config = config(args[0], args[1]);
    // Of a poll of 1,000 records it processes up to 45 between two looks for a pause.
    config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 1);
    KafkaStreams streams = streams(config, args[1]);
    shutdown.workSource("orders", WorkSource.ofBlockingStop(() -> stop(streams)));
    streams.start();
  }

  /** Without the pause it processes all that its last poll has brought. */
  private static void stop(KafkaStreams streams) {
    streams.pause();
    streams.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    Orders.printStopped();
  }

  static Properties config(String brokers, String topic) {
    Properties config = new Properties();
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, topic);
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    config.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    return config;
  }

  static KafkaStreams streams(Properties config, String topic) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.<String, String>stream(topic).foreach((key, order) -> process(order));
    return new KafkaStreams(builder.build(), config);
  }

  private static void process(String order) {
    try {
      Orders.process(order);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Interrupted", e); // not committed: taken again
    }
  }
}
