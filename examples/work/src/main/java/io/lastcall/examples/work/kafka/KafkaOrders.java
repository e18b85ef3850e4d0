package io.lastcall.examples.work.kafka;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Takes orders from a topic. While a worker processes a batch, the partitions are paused and the
 * consumer is polled on, so that it stays in its group however long that takes.
 */
public final class KafkaOrders implements WorkSource, Runnable, ConsumerRebalanceListener {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<String, String> consumer;
  private final String topic;
  private final GroupMembershipOperation atEnd;
  private final Thread thread = new Thread(this, "orders");
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private final Set<TopicPartition> owned = ConcurrentHashMap.newKeySet();
  private final Map<TopicPartition, OffsetAndMetadata> done = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;
  private boolean paused;

  private KafkaOrders(Map<String, Object> config, String topic, GroupMembershipOperation atEnd) {
    consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    this.topic = topic;
    this.atEnd = atEnd;
  }

  /** Arguments: brokers, topic, LEAVE_GROUP or, of a static member, REMAIN_IN_GROUP (KIP-1092). */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
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
    var orders = new KafkaOrders(config, args[1], GroupMembershipOperation.valueOf(args[2]));
    shutdown.workSource("orders", orders);
    orders.thread.start();
  }

  @Override
  public void run() {
    try (consumer) {
      consumer.subscribe(List.of(topic), this);
      while (taking) {
        ConsumerRecords<String, String> batch = consumer.poll(POLL);
        paused = true;
        consumer.pause(consumer.assignment());
        Future<?> inWork = worker.submit(() -> process(batch));
        while (!inWork.isDone()) {
          consumer.poll(POLL); // brings nothing
        }
        consumer.commitSync(done);
        consumer.resume(consumer.paused());
        paused = false;
      }
      consumer.close(CloseOptions.groupMembershipOperation(atEnd));
      finished.complete(null);
    } catch (RuntimeException e) {
      finished.completeExceptionally(e);
    } finally {
      worker.shutdown();
    }
  }

  /** Or what is polled from a new partition while a batch is in work is gone. */
  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
    owned.addAll(partitions);
    if (paused) {
      consumer.pause(partitions);
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
    consumer.commitSync(done);
    onPartitionsLost(partitions);
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> partitions) {
    owned.removeAll(partitions);
    done.keySet().removeAll(partitions);
  }

  /** What is left of a batch when taking stops is not committed: others get it. */
  private void process(ConsumerRecords<String, String> batch) {
    try {
      for (ConsumerRecord<String, String> each : batch) {
        TopicPartition partition = new TopicPartition(each.topic(), each.partition());
        if (taking && owned.contains(partition)) {
          Orders.process(each.value());
          done.put(partition, new OffsetAndMetadata(each.offset() + 1));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // handed back
    }
  }

  /** No {@code wakeup}: a {@code commitSync} that it meets fails. */
  @Override
  public void stopTaking() {
    taking = false;
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** The batch ends, what is done of it is committed, and the group is left. */
  @Override
  public boolean handBack() throws InterruptedException {
    worker.shutdownNow();
    thread.join(TimeUnit.SECONDS.toMillis(1));
    return true;
  }
}
