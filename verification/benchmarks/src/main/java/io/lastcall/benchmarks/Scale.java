package io.lastcall.benchmarks;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Long-lived connections in numbers, and what wakes the drain. CPU time where it can be: the best
 * of many rounds, in nanoseconds for each connection; and the heap that one takes.
 */
public final class Scale {
  private static final int MANY = 100_000;
  private static final int[] SIZES = {1_000, 10_000, MANY};
  private static final int ROUNDS = 20;
  private static final Duration WINDOW = Duration.ofSeconds(2);
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Scale() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.out.println("| Connections | register | deregister | close at once | paced over 2 s |");
    System.out.println("|---|---|---|---|---|");
    for (int size : SIZES) {
      connections(size);
    }
    System.out.printf("heap for each of %,d: %.0f bytes%n%n", MANY, bytesOfEach());
    DrainScale.print();
    JarSize.print();
  }

  private static void connections(int size) {
    double register = Double.MAX_VALUE;
    double deregister = Double.MAX_VALUE;
    double close = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      ConnectionControl control = new ConnectionControl();
      long start = cpu();
      List<Client> clients = clients(control, size);
      register = Math.min(register, since(start, size));
      start = cpu();
      clients.forEach(Client::gone);
      deregister = Math.min(deregister, since(start, size));
      clients(control, size);
      start = cpu();
      closeAll(control, Duration.ZERO);
      close = Math.min(close, since(start, size));
    }
    ConnectionControl control = new ConnectionControl();
    clients(control, size);
    long began = System.nanoTime();
    long start = cpu();
    closeAll(control, WINDOW);
    System.out.printf(
        "| %,d | %.0f | %.0f | %.0f | %.0f, in %.2f s |%n",
        size, register, deregister, close, since(start, size), (System.nanoTime() - began) / 1e9);
  }

  /** With the adapter's own object, of 16 bytes here. */
  private static double bytesOfEach() {
    ConnectionControl control = new ConnectionControl();
    long empty = usedHeap();
    clients(control, MANY);
    long full = usedHeap();
    closeAll(control, Duration.ZERO);
    return (double) (full - empty) / MANY;
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static List<Client> clients(ConnectionControl control, int size) {
    List<Client> clients = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Client client = new Client();
      client.registration = control.connections().register(client);
      clients.add(client);
    }
    return clients;
  }

  private static void closeAll(ConnectionControl control, Duration window) {
    if (!control.closeAll(window, Deadline.after(Duration.ofMinutes(1), Ticker.system()))) {
      throw new IllegalStateException("not closed in time");
    }
  }

  private static long cpu() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static double since(long start, int size) {
    return (double) (cpu() - start) / size;
  }

  /** A connection that is gone as soon as it is told. */
  private static final class Client implements LongLivedConnection {
    private @Nullable Registration registration;

    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() {
      gone();
    }

    void gone() {
      Objects.requireNonNull(registration).closed();
    }
  }
}
