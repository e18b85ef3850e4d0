package io.lastcall.examples.work.redis;

import io.lastcall.examples.work.ConsumerContract;
import java.io.IOException;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "io.lastcall.examples.work.redis.RedisBacklog#isThere",
    disabledReason = "there is no redis-server here: apt-get install redis-server")
class RedisOrdersTest extends ConsumerContract<RedisBacklog> {
  RedisOrdersTest() throws IOException {
    super(new RedisBacklog(), RedisOrders.class);
  }
}
