package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * With the redis-server of the machine: {@code -Dredis.server} says where, or it is in the path.
 */
@Tag("all")
class RedisTest extends TakerContract {
  private static final int MESSAGES = 40;
  private Process server;
  private RedisClient client;
  private int port;

  RedisTest() throws Exception {
    super(RedisService.class, 1);
    Optional<Path> program = program();
    assumeTrue(program.isPresent(), "no redis-server on this machine: Redis is not tried");
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        new ProcessBuilder(program.get().toString(), "--port", String.valueOf(port), "--save", "")
            .directory(Files.createTempDirectory("redis").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    client = RedisClient.create("redis://127.0.0.1:" + port);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> "PONG".equals(client.connect().sync().ping()));
  }

  private static Optional<Path> program() {
    String given = System.getProperty("redis.server");
    return Stream.concat(
            Stream.ofNullable(given).map(Path::of),
            Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "redis-server")))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @AfterAll
  void stop() {
    if (client != null) {
      client.shutdown();
    }
    if (server != null) {
      server.destroy();
    }
  }

  @Override
  List<String> prepare() {
    RedisCommands<String, String> redis = client.connect().sync();
    redis.flushall();
    redis.xgroupCreate(
        StreamOffset.from("orders", "0"), "workers", XGroupCreateArgs.Builder.mkstream());
    for (int i = 0; i < MESSAGES; i++) {
      redis.xadd("orders", Map.of("order", "order-" + i));
    }
    return List.of("--spring.data.redis.port=" + port);
  }

  /** None is pending: no consumer but the one that is gone would get it. */
  @Override
  void assertLeft(List<String> ended) {
    assertEquals(0, client.connect().sync().xpending("orders", "workers").getCount());
  }
}
