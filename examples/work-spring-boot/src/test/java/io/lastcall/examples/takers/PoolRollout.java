package io.lastcall.examples.takers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Four replicas are replaced one after the other while requests arrive, as a Deployment with
 * maxSurge 1 does it: every four seconds a new one joins and an old one is told to go. Routers
 * learn of that one by one, within six seconds. Replacements are started before, since their start
 * would take the processors of all; each opens its pool as it joins.
 */
final class PoolRollout implements AutoCloseable {
  /** From a Pod's removal on: a preStop hook that sleeps, or the propagation delay. */
  static final Duration DELAY = Duration.ofSeconds(15);

  private static final int REPLICAS = 4;
  private static final int ROUTERS = 20;
  private static final Duration LEARNT = Duration.ofSeconds(6);
  private static final Duration STEP = Duration.ofSeconds(4);
  private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(1) / 40;
  private static final int SAMPLE_MILLIS = 100;

  /** One number, in a body of a declared length or in one chunk. */
  private static final Pattern ANSWER =
      Pattern.compile(
          "HTTP/1.1 200 .*?\\r\\n\\r\\n(?:[0-9a-f]+\\r\\n)?(\\d+)(?:\\r\\n.*)?", Pattern.DOTALL);

  private final Database database;
  private final boolean library;
  private final List<Service> services = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();
  private final Random random = new Random(1);
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final ExecutorService clients = Executors.newCachedThreadPool();
  private final List<Integer> open = new CopyOnWriteArrayList<>();
  private final List<Long> waited = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> waitedWhileLeaving = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger sent = new AtomicInteger();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  /** A process, and when each router stops sending to it. */
  private record Pod(Service service, int port, AtomicLongArray leaves) {
    boolean isLeaving() {
      return leaves.get(0) < Long.MAX_VALUE;
    }
  }

  /**
   * A rollout's figures.
   *
   * @param open connections, ten times a second from the first removal until the last old process
   *     has gone
   * @param waited microseconds for a connection, of each request, sorted
   * @param waitedWhileLeaving those of requests to processes that had been told to go
   */
  record Result(
      List<Integer> open,
      int sent,
      List<String> failures,
      List<Long> waited,
      List<Long> waitedWhileLeaving) {
    int most() {
      return Collections.max(open);
    }

    double mean() {
      return open.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }

    private static String waits(List<Long> sorted) {
      int last = sorted.size() - 1;
      return "p50 %d us, p99 %d us, most %d us (%d)"
          .formatted(
              sorted.get(last / 2),
              sorted.get((int) (last * 0.99)),
              sorted.get(last),
              sorted.size());
    }

    String row(String name) {
      List<String> seconds = new ArrayList<>();
      for (int i = 0; i < open.size(); i += 20) {
        seconds.add(Integer.toString(open.get(i)));
      }
      return "%s | most %d | mean %.1f | failed %d of %d | waited %s | while leaving %s | every 2 s: %s"
          .formatted(
              name,
              most(),
              mean(),
              failures.size(),
              sent,
              waits(waited),
              waits(waitedWhileLeaving),
              String.join(" ", seconds));
    }
  }

  /**
   * @param library whether the services have Lastcall; if not, a preStop hook sleeps instead
   */
  PoolRollout(Database database, boolean library) {
    this.database = database;
    this.library = library;
  }

  Result run() throws Exception {
    start();
    for (Pod old : pods.subList(0, REPLICAS)) {
      join(old);
    }
    List<Future<?>> steps = new ArrayList<>();
    clock.scheduleAtFixedRate(this::send, 0, REQUEST_NANOS, TimeUnit.NANOSECONDS);
    clock.scheduleAtFixedRate(this::sample, STEP.toMillis(), SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    for (int i = 0; i < REPLICAS; i++) {
      Pod old = pods.get(i);
      Pod successor = pods.get(REPLICAS + i);
      steps.add(
          clock.schedule(
              () -> {
                join(successor);
                remove(old);
                return null;
              },
              STEP.multipliedBy(i + 1).toMillis(),
              TimeUnit.MILLISECONDS));
    }
    for (Future<?> step : steps) {
      step.get();
    }
    for (Pod old : pods.subList(0, REPLICAS)) {
      int code = old.service().awaitExit();
      if (code != 0 && code != 143) {
        failures.add("exit code " + code + ": " + old.service().output());
      }
    }
    return result();
  }

  private void start() throws IOException, SQLException {
    for (int i = 0; i < 2 * REPLICAS; i++) {
      services.add(
          Service.start(
              PoolService.class,
              "--orders.database=" + database.url(),
              "--spring.integration.jdbc.initialize-schema=never", // asks the database which it is
              "--lastcall.enabled=" + library,
              "--lastcall.grace-period=40s",
              "--lastcall.propagation-delay=" + DELAY.toSeconds() + "s"));
    }
    for (Service service : services) {
      service.awaitStarted();
      pods.add(new Pod(service, service.port(), new AtomicLongArray(ROUTERS)));
    }
    if (database.open() > 0) {
      throw new IllegalStateException("pools are open before the first request");
    }
  }

  private Result result() throws InterruptedException {
    clock.shutdown();
    clients.shutdown();
    if (!clients.awaitTermination(1, TimeUnit.MINUTES)) {
      failures.add("a request never ended");
    }
    return new Result(
        List.copyOf(open),
        sent.get(),
        List.copyOf(failures),
        waited.stream().sorted().toList(),
        waitedWhileLeaving.stream().sorted().toList());
  }

  private void join(Pod pod) throws IOException {
    get(pod.port()); // its pool opens
    for (int router = 0; router < ROUTERS; router++) {
      pod.leaves().set(router, Long.MAX_VALUE);
    }
  }

  private void remove(Pod pod) {
    long now = System.nanoTime();
    for (int router = 0; router < ROUTERS; router++) {
      pod.leaves().set(router, now + (long) (random.nextDouble() * LEARNT.toNanos()));
    }
    if (library) {
      pod.service().terminate();
    } else {
      clock.schedule(pod.service()::terminate, DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void send() {
    long now = System.nanoTime();
    int router = random.nextInt(ROUTERS);
    List<Pod> known = pods.stream().filter(pod -> pod.leaves().get(router) - now > 0).toList();
    Pod pod = known.get(random.nextInt(known.size()));
    int port = pod.port();
    boolean leaving = pod.isLeaving();
    sent.incrementAndGet();
    clients.execute(
        () -> {
          try {
            long micros = get(port);
            waited.add(micros);
            if (leaving) {
              waitedWhileLeaving.add(micros);
            }
          } catch (IOException | RuntimeException e) {
            failures.add("port " + port + ": " + e);
          }
        });
  }

  /** On a connection of its own, and once: a client that tries again would hide a failure. */
  private static long get(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket
          .getOutputStream()
          .write(
              "GET /order HTTP/1.1\r\nHost: orders\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      Matcher whole = ANSWER.matcher(answer);
      if (!whole.matches()) {
        throw new IOException("not an answer: " + answer);
      }
      return Long.parseLong(whole.group(1));
    }
  }

  private void sample() {
    try {
      open.add(database.open());
    } catch (SQLException | RuntimeException e) {
      failures.add("the database does not answer: " + e);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    clients.shutdownNow();
    services.forEach(Service::close);
  }
}
