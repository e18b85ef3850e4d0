package io.lastcall.examples.work.redis;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.params.XReadGroupParams;
import redis.clients.jedis.resps.StreamEntry;

/** Takes orders from a stream, as one consumer of a group. */
public final class RedisOrders implements WorkSource, Runnable {
  static final String STREAM = "orders";
  static final String GROUP = "workers";

  /** One each time: what is taken is pending until this consumer has acknowledged it. */
  private static final XReadGroupParams NEXT =
      XReadGroupParams.xReadGroupParams().count(1).block(1000);

  private final Jedis redis;
  private final String consumer;
  private final Thread thread = new Thread(this, "orders");
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;

  private RedisOrders(Jedis redis, String consumer) {
    this.redis = redis;
    this.consumer = consumer;
  }

  /** Arguments: the server's address, the consumer's name. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Jedis redis = new Jedis(URI.create(args[0]));
    shutdown.step(Phase.CLOSE_CONNECTIONS, "redis", context -> redis.close());
    RedisOrders orders = new RedisOrders(redis, args[1]);
    shutdown.workSource("orders", orders);
    orders.thread.start();
  }

  @Override
  public void run() {
    try {
      while (taking) {
        for (StreamEntry next : read(redis, consumer)) {
          Orders.process(next.getFields().getOrDefault("order", ""));
          redis.xack(STREAM, GROUP, next.getID());
        }
      }
      finished.complete(null);
    } catch (InterruptedException | RuntimeException e) {
      finished.completeExceptionally(e);
    }
  }

  static List<StreamEntry> read(Jedis redis, String consumer) {
    var read =
        redis.xreadGroup(
            GROUP, consumer, NEXT, Map.of(STREAM, StreamEntryID.XREADGROUP_UNDELIVERED_ENTRY));
    return read == null ? List.of() : read.get(0).getValue();
  }

  /** A read that waits ends within its second. */
  @Override
  public void stopTaking() {
    taking = false;
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /**
   * What is pending would wait for another consumer's XAUTOCLAIM: it is added again, at the end.
   */
  @Override
  public boolean handBack() throws InterruptedException {
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(1));
    var own = Map.of(STREAM, new StreamEntryID());
    var pending = redis.xreadGroup(GROUP, consumer, XReadGroupParams.xReadGroupParams(), own);
    for (StreamEntry each : pending.get(0).getValue()) {
      Transaction both = redis.multi();
      both.xadd(STREAM, StreamEntryID.NEW_ENTRY, each.getFields());
      both.xack(STREAM, GROUP, each.getID());
      var unused = both.exec();
    }
    return true;
  }
}
