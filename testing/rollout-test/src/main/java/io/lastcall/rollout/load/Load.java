package io.lastcall.rollout.load;

import static io.lastcall.rollout.load.RootLocale.format;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Sends the schedule, open loop: an arrival never waits for an earlier answer, each has a thread of
 * its own for as long as it lasts. Two daemon threads serve it: one keeps time, one watches idle
 * connections.
 */
public final class Load implements AutoCloseable {
  private static final long WATCH_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Schedule arrivals;
  private final List<? extends View> nodes;
  private final IntFunction<InetSocketAddress> addressOfPod;
  private final List<LongLived> longLived = new ArrayList<>();
  private final List<Client> clients = new ArrayList<>();
  private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final ExecutorService workers;
  private final ExecutorService readers;
  private final Thread schedule;
  private final Thread watch;
  private final LoadSettings settings;
  private volatile boolean stopped;

  /**
   * Prepares; {@link #start} sends.
   *
   * @param nodes the clients' views, by the number of the node
   */
  public Load(
      Schedule arrivals,
      LoadSettings settings,
      List<? extends View> nodes,
      IntFunction<InetSocketAddress> addressOfPod) {
    this.arrivals = arrivals;
    this.nodes = nodes;
    this.addressOfPod = addressOfPod;
    this.settings = settings;
    this.workers = Executors.newCachedThreadPool(work -> daemon(work, "client"));
    this.readers = Executors.newCachedThreadPool(work -> daemon(work, "reader"));
    for (View node : nodes) {
      clients.add(Client.of(settings, node, addressOfPod, readers));
    }
    this.schedule = daemon(this::keepTime, "schedule");
    this.watch = daemon(settings.watchIdle() ? this::watchIdle : () -> {}, "watch-idle");
  }

  /** Holds WebSockets or event streams too, one after the other; before {@link #start}. */
  public void hold(LongLivedRequest held) {
    for (int count = 0; count < held.count(); count++) {
      int node = count % nodes.size();
      longLived.add(
          new LongLived(
              node,
              held.request(),
              held.webSocket(),
              nodes.get(node),
              addressOfPod,
              settings,
              exchanges));
    }
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  public void start() {
    schedule.start();
    watch.start();
    longLived.forEach(LongLived::start);
  }

  private void keepTime() {
    long origin = System.nanoTime();
    while (!stopped) {
      Arrival arrival = arrivals.next();
      long planned = origin + arrival.offset();
      for (long wait = planned - System.nanoTime(); wait > 0 && !stopped; ) {
        LockSupport.parkNanos(wait);
        wait = planned - System.nanoTime();
      }
      if (!stopped) {
        begun.incrementAndGet();
        workers.execute(() -> run(arrival, planned));
      }
    }
  }

  private void run(Arrival arrival, long planned) {
    for (Exchange exchange : clients.get(arrival.node()).call(arrival, planned)) {
      exchanges.add(exchange);
      if (exchange.failed()) {
        failed.incrementAndGet();
      }
    }
    ended.incrementAndGet();
  }

  private void watchIdle() {
    while (!stopped) {
      clients.forEach(Client::closeEnded);
      LockSupport.parkNanos(WATCH_INTERVAL_NANOS);
    }
  }

  public String progress() {
    int finished = ended.get();
    return format(
        "%5d sent %4d in flight %4d failed", begun.get(), begun.get() - finished, failed.get());
  }

  /** Ends the schedule, waits for what is under way, and returns everything that was sent. */
  public List<Exchange> finish() throws InterruptedException {
    stopped = true;
    LockSupport.unpark(schedule);
    schedule.join();
    longLived.forEach(LongLived::close);
    workers.shutdown();
    // Every wait of a client is bounded by the timeout; a stream lasts as long as it was asked to,
    // and may wait more than once, hence the factor.
    long patience = 10 * settings.timeout().toMillis() + settings.longestAnswer().toMillis();
    if (!workers.awaitTermination(patience, TimeUnit.MILLISECONDS)) {
      throw new IllegalStateException("requests still under way long after their timeout");
    }
    if (begun.get() != ended.get()) {
      throw new IllegalStateException("a client thread failed; its trace is above");
    }
    return List.copyOf(exchanges);
  }

  @Override
  public void close() {
    stopped = true;
    longLived.forEach(LongLived::close);
    workers.shutdownNow();
    clients.forEach(Client::close);
    readers.shutdown();
  }
}
