package io.lastcall.examples.takers;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

@Tag("all")
@EnabledIf(
    value = "io.lastcall.examples.work.redis.RedisBacklog#isThere",
    disabledReason = "there is no redis-server here: apt-get install redis-server")
class RedisTest extends BacklogContract {
  RedisTest() throws Exception {
    super(RedisService.class, Backlogs.redis());
  }
}
