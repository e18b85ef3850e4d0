package io.lastcall.examples.work.redis;

import io.lastcall.examples.work.Orders;
import java.net.URI;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.resps.StreamEntry;

/** {@link RedisOrders} without the library: a hook closes the connection. */
public final class RedisOrdersWithout {
  private RedisOrdersWithout() {}

  public static void main(String[] args) throws InterruptedException {
    Jedis redis = new Jedis(URI.create(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(redis::close));
    while (true) {
      for (StreamEntry next : RedisOrders.read(redis, args[1])) {
        Orders.process(next.getFields().getOrDefault("order", ""));
        redis.xack(RedisOrders.STREAM, RedisOrders.GROUP, next.getID());
      }
    }
  }
}
