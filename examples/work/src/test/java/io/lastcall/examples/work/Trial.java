package io.lastcall.examples.work;

import io.lastcall.testing.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * One shutdown by a real SIGTERM, and what became of each order. On Linux {@link System#nanoTime}
 * is one clock for all processes, so its values are compared across them.
 */
public final class Trial {
  /** A taker may be the later the more it has done: Kafka Streams. */
  private static final int ORDERS_BEFORE = 40;

  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final List<String> added;
  private final List<Program.Line> lines;
  private final List<String> visible;
  private final int hidden;
  private final long sigterm;
  private final long gone;
  private final int exitCode;

  private Trial(
      List<String> added,
      List<Program.Line> lines,
      List<String> visible,
      int hidden,
      long sigterm,
      long gone,
      int exitCode) {
    this.added = added;
    this.lines = lines;
    this.visible = visible;
    this.hidden = hidden;
    this.sigterm = sigterm;
    this.gone = gone;
    this.exitCode = exitCode;
  }

  /**
   * Ends a program that has a backlog at all times.
   *
   * @param number varies when SIGTERM comes: while an order is processed, or between two
   * @param options for the JVM
   */
  public static Trial underLoad(Backlog backlog, Class<?> main, int number, String... options)
      throws Exception {
    return run(backlog, main, backlog.orders(), number, options);
  }

  /** Ends a program whose only order takes much longer than it is given. */
  public static Trial inLongOrder(Backlog backlog, Class<?> main) throws Exception {
    return run(
        backlog,
        main,
        1,
        0,
        "-Dorder.millis=600000",
        "-Dlastcall.grace-period=16s",
        "-Dlastcall.drain-timeout=2s");
  }

  private static Trial run(
      Backlog backlog, Class<?> main, int orders, int number, String... options) throws Exception {
    List<String> added = IntStream.range(0, orders).mapToObj(i -> "order-" + i).toList();
    backlog.add(added);
    try (Program program = new Program(main, backlog.arguments(), options)) {
      if (orders == 1) {
        program.await("taken", 1);
      } else {
        if (backlog.isStartAwaited()) {
          program.await("started", 1);
        }
        String what = number % 2 == 0 ? "taken" : "done";
        program.await(what, program.lines(what).size() + 3 + number * 2 % ORDERS_BEFORE);
        LockSupport.parkNanos(number % 4 * MOMENT_NANOS); // somewhere in an order
      }
      long sigterm = System.nanoTime();
      program.sigterm();
      int exitCode = program.awaitExit();
      long gone = System.nanoTime();
      int hidden = backlog.hidden();
      List<String> visible = backlog.takeAll();
      program.awaitOutput();
      return new Trial(added, program.lines(), visible, hidden, sigterm, gone, exitCode);
    }
  }

  private List<String> orders(String what) {
    return lines.stream()
        .filter(line -> line.what().equals(what))
        .map(Program.Line::subject)
        .toList();
  }

  public int exitCode() {
    return exitCode;
  }

  public long exitMillis() {
    return TimeUnit.NANOSECONDS.toMillis(gone - sigterm);
  }

  /** Returns how many orders nobody can take yet. */
  public int hidden() {
    return hidden;
  }

  /** Returns how many orders are gone and not processed. */
  public int lost() {
    return Math.max(0, missing().size() - hidden);
  }

  /** Returns how many orders were processed and will be, or were, once more. */
  public int twice() {
    // Of what is hidden, what is not missing was processed.
    return doubled().size() + Math.max(0, hidden - missing().size());
  }

  /** Returns the orders that were neither processed nor are to be had by another consumer now. */
  public List<String> missing() {
    Set<String> lost = new HashSet<>(added);
    orders("done").forEach(lost::remove);
    visible.forEach(lost::remove);
    return List.copyOf(lost);
  }

  /** Returns those that another consumer has now, though they were processed. */
  public List<String> doubled() {
    List<String> twice = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String order : orders("done")) {
      if (!seen.add(order)) {
        twice.add(order);
      }
    }
    visible.stream().filter(order -> !seen.add(order)).forEach(twice::add);
    return twice;
  }

  /** Returns the orders that were begun, not done, and are to be had by another consumer. */
  public List<String> handedBack() {
    List<String> begun = new ArrayList<>(orders("taken"));
    begun.removeAll(orders("done"));
    begun.retainAll(visible);
    return begun;
  }

  /** Returns the orders that were begun after SIGTERM was sent. */
  public List<Program.Line> takenAfterSigterm() {
    return lines.stream()
        .filter(line -> line.what().equals("taken") && line.nanos() > sigterm)
        .toList();
  }

  /** Returns from SIGTERM to the last order that was begun; 0 if none was after it. */
  public double lastTakenMillis() {
    return takenAfterSigterm().stream().mapToLong(Program.Line::nanos).max().stream()
        .mapToDouble(nanos -> (nanos - sigterm) / 1e6)
        .findFirst()
        .orElse(0);
  }

  /** Returns how many orders were begun after {@code stopTaking} had returned. */
  public long takenAfterStop() {
    long stopped =
        lines.stream()
            .filter(line -> line.what().equals("stopped"))
            .mapToLong(Program.Line::nanos)
            .findFirst()
            .orElseThrow(() -> new AssertionError("It never stopped taking: " + lines));
    return lines.stream()
        .filter(line -> line.what().equals("taken") && line.nanos() > stopped)
        .count();
  }

  @Override
  public String toString() {
    return "exit code %d after %d ms; missing %s, doubled %s, handed back %s; %s"
        .formatted(exitCode, exitMillis(), missing(), doubled(), handedBack(), lines);
  }
}
