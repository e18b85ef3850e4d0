package io.lastcall.examples.grpc;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the calls that a SIGTERM costs: {@code java -cp grpc.jar io.lastcall.examples.grpc.Load
 * [channels]}. Channels of grpc-java, a connection each, start a call of up to 40 ms every 20 ms
 * (open loop), for a second before the signal and for 2 s behind it: as long as a router needs to
 * hear of it. Lastcall's propagation delay is 2.5 s. There is no other replica: what is sent to a
 * server that is gone is lost.
 */
public final class Load {
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration ROUTED = Duration.ofSeconds(2);
  private static final int MAX_WORK_MILLIS = 40;
  private static final int DEADLINE_SECONDS = 20;

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final Map<String, LongAdder> outcomes = new ConcurrentSkipListMap<>();
  private final Phaser running = new Phaser(1);
  private volatile boolean signalled;

  /** When the last router has left, by {@link System#nanoTime()}; 0 until that is known. */
  private volatile long routed;

  private Load() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    int channels = args.length > 0 ? Integer.parseInt(args[0]) : 40;
    System.out.printf(
        Locale.ROOT,
        "%-8s %8s %6s %6s %6s %13s %14s %4s  %s%n",
        (Object[])
            "mode channels sent ok lost after-SIGTERM exit-after-ms code lost-by-status"
                .split(" "));
    for (boolean naive : List.of(true, false)) {
      new Load().run(naive, channels);
    }
  }

  private void run(boolean naive, int size) throws IOException, InterruptedException {
    Map<String, String> settings =
        Map.of(
            "NAIVE", Boolean.toString(naive),
            "LASTCALL_GRACE_PERIOD", "20s",
            "LASTCALL_PROPAGATION_DELAY", "2500ms");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    List<ManagedChannel> channels = new ArrayList<>();
    try (ServerProcess server = ServerProcess.start(settings)) {
      for (int i = 0; i < size; i++) {
        ManagedChannel channel =
            NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
        channels.add(channel);
        ClientCalls.blockingUnaryCall(channel, Echo.ECHO, CallOptions.DEFAULT, "connected");
        timer.scheduleAtFixedRate(
            () -> call(channel),
            i * MICROSECONDS.convert(PERIOD) / size,
            MICROSECONDS.convert(PERIOD),
            MICROSECONDS);
      }
      MILLISECONDS.sleep(BEFORE.toMillis());
      signalled = true;
      CompletableFuture<Duration> exit = server.terminate();
      routed = System.nanoTime() + ROUTED.toNanos();
      MILLISECONDS.sleep(ROUTED.toMillis());
      timer.shutdown();
      timer.awaitTermination(DEADLINE_SECONDS, SECONDS);
      running.arriveAndAwaitAdvance();
      int code = server.exitCode();
      print(naive, size, exit.join().toMillis(), code);
    } finally {
      timer.shutdownNow();
      channels.forEach(ManagedChannel::shutdownNow);
    }
  }

  private void call(ManagedChannel channel) {
    if (routed != 0 && System.nanoTime() - routed >= 0) {
      return; // the timer is behind
    }
    running.register();
    sent.incrementAndGet();
    if (signalled) {
      late.incrementAndGet();
    }
    String millis = Integer.toString(ThreadLocalRandom.current().nextInt(MAX_WORK_MILLIS));
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(DEADLINE_SECONDS));
    ClientCalls.asyncUnaryCall(channel.newCall(Echo.WORK, options), millis, new Outcome());
  }

  private void print(boolean naive, int channels, long exitMillis, int code) {
    Map<String, LongAdder> lost = new TreeMap<>(outcomes);
    LongAdder ok = lost.remove(Status.Code.OK.name());
    System.out.printf(
        Locale.ROOT,
        "%-8s %8d %6d %6d %6d %13d %14d %4d  %s%n",
        naive ? "naive" : "lastcall",
        channels,
        sent.get(),
        ok == null ? 0 : ok.sum(),
        lost.values().stream().mapToLong(LongAdder::sum).sum(),
        late.get(),
        exitMillis,
        code,
        lost.isEmpty() ? "none" : lost);
  }

  /** Counts how one call ended. */
  private final class Outcome implements StreamObserver<String> {
    @Override
    public void onNext(String answer) {}

    @Override
    public void onError(Throwable failure) {
      end(Status.fromThrowable(failure).getCode());
    }

    @Override
    public void onCompleted() {
      end(Status.Code.OK);
    }

    private void end(Status.Code code) {
      outcomes.computeIfAbsent(code.name(), name -> new LongAdder()).increment();
      running.arriveAndDeregister();
    }
  }
}
