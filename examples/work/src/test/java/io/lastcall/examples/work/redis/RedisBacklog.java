package io.lastcall.examples.work.redis;

import io.lastcall.examples.work.Backlog;
import io.lastcall.examples.work.ServerBinary;
import io.lastcall.testing.FreePort;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.resps.StreamEntry;

/** A Redis server of its own, which keeps nothing. */
public final class RedisBacklog implements Backlog {
  public static final ServerBinary SERVER = new ServerBinary("redis-server");

  private final Process process;
  private final URI uri;
  private int shutdowns;

  public RedisBacklog() throws IOException {
    int port = FreePort.next();
    process = SERVER.start("--port", Integer.toString(port), "--bind", "127.0.0.1", "--save", "");
    uri = URI.create("redis://127.0.0.1:" + port);
    Awaitility.await().atMost(60, TimeUnit.SECONDS).until(this::answers);
    try (Jedis redis = new Jedis(uri)) {
      redis.xgroupCreate(RedisOrders.STREAM, RedisOrders.GROUP, new StreamEntryID(), true);
    }
  }

  private boolean answers() {
    try (Jedis redis = new Jedis(uri)) {
      return "PONG".equals(redis.ping());
    } catch (JedisConnectionException notYet) {
      return false;
    }
  }

  public static boolean isThere() {
    return SERVER.isInstalled();
  }

  @Override
  public List<String> arguments() {
    return List.of(uri.toString(), "pod-" + shutdowns);
  }

  @Override
  public void add(List<String> orders) {
    shutdowns++;
    try (Jedis redis = new Jedis(uri)) {
      orders.forEach(
          order -> redis.xadd(RedisOrders.STREAM, StreamEntryID.NEW_ENTRY, Map.of("order", order)));
    }
  }

  /** What the process that is gone has taken, until another claims it. */
  @Override
  public int hidden() {
    try (Jedis redis = new Jedis(uri)) {
      return (int) redis.xpending(RedisOrders.STREAM, RedisOrders.GROUP).getTotal();
    }
  }

  @Override
  public List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    try (Jedis redis = new Jedis(uri)) {
      List<StreamEntry> next = RedisOrders.read(redis, "another");
      while (!next.isEmpty()) {
        next.forEach(each -> taken.add(each.getFields().get("order")));
        next = RedisOrders.read(redis, "another");
      }
      redis.del(RedisOrders.STREAM);
      redis.xgroupCreate(RedisOrders.STREAM, RedisOrders.GROUP, new StreamEntryID(), true);
    }
    return taken;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
