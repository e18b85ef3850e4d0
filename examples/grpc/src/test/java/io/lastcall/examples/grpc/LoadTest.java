package io.lastcall.examples.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class LoadTest {

  @Test
  void load_bothModes_losesCallsWithoutLastcallAndNoneWithIt() throws Exception {
    Process load =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Load.class.getName(),
                "10")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String table = new String(load.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, load.waitFor(), table);

    assertTrue(column(table, "naive", "lost") > 0, table);
    assertEquals(143, column(table, "naive", "code"), table);
    assertEquals(0, column(table, "lastcall", "lost"), table);
    assertEquals(0, column(table, "lastcall", "code"), table);
    assertTrue(column(table, "lastcall", "after-SIGTERM") > 100, table);
    assertEquals(column(table, "lastcall", "sent"), column(table, "lastcall", "ok"), table);
  }

  private static int column(String table, String mode, String name) {
    List<String> lines = table.lines().toList();
    int index = List.of(lines.get(0).split(" +", -1)).indexOf(name);
    String row = lines.stream().filter(line -> line.startsWith(mode)).findFirst().orElseThrow();
    return Integer.parseInt(row.split(" +", -1)[index]);
  }
}
