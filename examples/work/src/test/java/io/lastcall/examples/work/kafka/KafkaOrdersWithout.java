package io.lastcall.examples.work.kafka;

import io.lastcall.examples.work.Orders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** {@link KafkaOrders} without the library: the usual hook, which wakes the consumer and waits. */
public final class KafkaOrdersWithout {
  private KafkaOrdersWithout() {}

  public static void main(String[] args) throws InterruptedException {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            args[0],
            "group.id",
            args[1],
            "enable.auto.commit",
            "false",
            "auto.offset.reset",
            "earliest");
    Thread main = Thread.currentThread();
    try (var consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(consumer, main)));
      consumer.subscribe(List.of(args[1]));
      while (true) {
        ConsumerRecords<String, String> batch = consumer.poll(Duration.ofSeconds(1));
        for (ConsumerRecord<String, String> each : batch) {
          Orders.process(each.value());
        }
        consumer.commitSync();
      }
    } catch (WakeupException e) {
      // the end
    }
  }

  private static void end(KafkaConsumer<String, String> consumer, Thread main) {
    consumer.wakeup();
    try {
      main.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
