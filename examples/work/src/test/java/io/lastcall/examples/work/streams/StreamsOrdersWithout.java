package io.lastcall.examples.work.streams;

import org.apache.kafka.streams.KafkaStreams;

/** {@link StreamsOrders} without the library: the hook of Kafka's own documentation. */
public final class StreamsOrdersWithout {
  private StreamsOrdersWithout() {}

  public static void main(String[] args) {
    KafkaStreams streams = StreamsOrders.streams(StreamsOrders.config(args[0], args[1]), args[1]);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
  }
}
