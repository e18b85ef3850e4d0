package io.lastcall.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/**
 * Runs the faults, prints a line for each, and writes the table. Options: {@code --only=REGEX}, of
 * {@code kind: name}, which writes no table; {@code --parallel=N}; {@code --table=FILE}; {@code
 * --folder=FOLDER}, for what the processes write. Exit status: 0 if all is as it should be, else 1.
 */
final class Faults {
  private static final int LAST_WITH_SECURITY_MANAGER = 23;

  private Pattern only = Pattern.compile("");
  private int parallel = 2;
  private Path table = Path.of("docs", "faults.md");
  private Path folder = Path.of("target", "faults");

  private Faults() {}

  public static void main(String[] arguments) throws Exception {
    Faults faults = new Faults();
    for (String argument : arguments) {
      faults.option(argument);
    }
    System.exit(faults.run() ? 0 : 1);
  }

  private void option(String argument) {
    String value = argument.substring(argument.indexOf('=') + 1);
    switch (argument.replaceAll("=.*", "")) {
      case "--only" -> only = Pattern.compile(value, Pattern.CASE_INSENSITIVE);
      case "--parallel" -> parallel = Integer.parseInt(value);
      case "--table" -> table = Path.of(value);
      case "--folder" -> folder = Path.of(value);
      default ->
          throw new IllegalArgumentException(
              argument + ": allowed are --only, --parallel, --table and --folder");
    }
  }

  private boolean run() throws Exception {
    folder = folder.toAbsolutePath();
    Files.createDirectories(folder);
    List<Fault> faults =
        Kinds.all(Keys.in(folder)).stream()
            .filter(fault -> only.matcher(fault.toString()).find())
            .toList();
    System.out.printf(
        Locale.ROOT,
        "%d faults, %d at a time; SIGKILL %d s after the trigger. Logs are in %s%n",
        faults.size(),
        parallel,
        Command.GRACE.toSeconds(),
        folder);
    List<Row> rows = runAll(faults);
    String summary = summary(rows);
    System.out.println(summary);
    if (only.pattern().isEmpty()) {
      Table.write(summary, rows, table);
      System.out.println("The table is in " + table);
    }
    return rows.stream().noneMatch(Row::isRed);
  }

  private static String summary(List<Row> rows) {
    long red = rows.stream().filter(Row::isRed).count();
    long skipped = rows.stream().filter(Row::isSkipped).count();
    return String.format(
        Locale.ROOT,
        "%d faults: %d as they should be, %d not, %d not run. Java %s, %d processors.",
        rows.size(),
        rows.size() - red - skipped,
        red,
        skipped,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
  }

  private List<Row> runAll(List<Fault> faults) throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(parallel);
    List<Future<Row>> running = new ArrayList<>();
    for (Fault fault : faults) {
      running.add(threads.submit(() -> shown(row(fault))));
    }
    List<Row> rows = new ArrayList<>();
    for (Future<Row> row : running) {
      rows.add(row.get());
    }
    threads.shutdown();
    return rows;
  }

  private static Row shown(Row row) {
    System.out.println(row.line());
    return row;
  }

  private Row row(Fault fault) throws IOException {
    if (fault.needs.contains(Fault.Need.NAMESPACES) && !Namespaces.areThere()) {
      return Row.skipped(fault, "needs root, or namespaces for users");
    }
    if (fault.needs.contains(Fault.Need.C_COMPILER)
        && !Namespaces.succeeds(List.of("cc", "--version"))) {
      return Row.skipped(fault, "needs a C compiler");
    }
    if (fault.needs.contains(Fault.Need.SECURITY_MANAGER)
        && Runtime.version().feature() > LAST_WITH_SECURITY_MANAGER) {
      return Row.skipped(fault, "needs Java " + LAST_WITH_SECURITY_MANAGER + " or older");
    }
    Path own = folder.resolve(fault.id());
    Folders.delete(own);
    try {
      Row row = Row.of(Run.of(fault, own));
      Files.write(own.resolve("notes.txt"), row.result().orElseThrow().notes());
      return row;
    } catch (Exception e) {
      return Row.failed(fault, e);
    }
  }
}
