package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.examples.takers.PoolRollout.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Open connections while four replicas are replaced, with Lastcall and without; the figures are
 * also in {@code target/pool-rollout-*.txt}.
 */
@Tag("all")
@Timeout(1200)
class PoolRolloutTest {
  private static final int SERVING = 4 * 10;

  @Test
  void rollout_onH2() throws Exception {
    try (Database database = Database.h2()) {
      compare(database, "h2");
    }
  }

  @Test
  void rollout_onPostgreSql() throws Exception {
    Optional<Path> programs = Database.postgresPrograms();
    Assumptions.assumeTrue(programs.isPresent(), "Debian's postgresql is not installed");
    try (Database database = Database.postgres(programs.get())) {
      compare(database, "postgresql");
    }
  }

  private static void compare(Database database, String name) throws Exception {
    database.awaitStarted();
    Result without = run(database, false);
    database.awaitStarted();
    Result with = run(database, true);
    String figures = without.row("without Lastcall") + "\n" + with.row("with Lastcall") + "\n";
    Files.writeString(Path.of("target", "pool-rollout-" + name + ".txt"), figures);
    assertTrue(with.most() < without.most(), figures);
    assertTrue(
        with.mean() - SERVING < (without.mean() - SERVING) / 2,
        () -> "less than half of what a rollout adds: " + figures);
  }

  private static Result run(Database database, boolean library) throws Exception {
    try (PoolRollout rollout = new PoolRollout(database, library)) {
      Result result = rollout.run();
      assertEquals(0, result.failures().size(), result.failures()::toString);
      return result;
    }
  }
}
