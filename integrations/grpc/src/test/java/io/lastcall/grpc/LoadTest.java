package io.lastcall.grpc;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Channel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The calls that a SIGTERM costs. Ten channels of grpc-java, a connection each, start a call of up
 * to 40 ms, or a finite stream, every 20 ms (open loop), for a second before the signal and for 2 s
 * after it: as long as a router needs to hear of it. Lastcall's propagation delay is 6 s, so that a
 * machine that stalls sends nothing after it. There is no other replica: what is sent to a server
 * that is gone is lost.
 */
@Tag("forked")
@Timeout(240)
class LoadTest {
  private static final int CHANNELS = 10;
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final Duration BEFORE = Duration.ofSeconds(1);
  private static final Duration ROUTED = Duration.ofSeconds(2);
  private static final int MAX_WORK_MILLIS = 40;

  /** One call in ten is a finite stream, of up to half a second. */
  private static final int ONE_STREAM_IN = 10;

  private static final int MAX_PARTS = 6;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Queue<CallOutcome<String>> calls = new ConcurrentLinkedQueue<>();

  @Test
  void load_naiveServer_losesCalls() throws Exception {
    try (ServerProcess server = ServerProcess.start(Map.of("NAIVE", "true"))) {
      assertTrue(lost(server).size() > 0);
      assertEquals(143, server.exitCode(), server::log);
    }
  }

  @Test
  void load_preparedServer_losesNone() throws Exception {
    try (ServerProcess server =
        ServerProcess.start(
            Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "6s"))) {
      assertEquals(List.of(), lost(server));
      assertEquals(0, server.exitCode(), server::log);
      assertTrue(server.hasLogged("refused 0, abandoned 0 since the trigger"), server::log);
    }
  }

  /** Returns the statuses of the calls that failed. */
  private List<Status> lost(ServerProcess server) throws Exception {
    try (Clients clients = new Clients(server.port())) {
      for (int i = 0; i < CHANNELS; i++) {
        Channel channel = clients.idle();
        timer.scheduleAtFixedRate(
            () -> call(channel),
            i * MICROSECONDS.convert(PERIOD) / CHANNELS,
            MICROSECONDS.convert(PERIOD),
            MICROSECONDS);
      }
      timer.schedule(server::terminate, BEFORE.toMillis(), MILLISECONDS);
      timer.schedule(timer::shutdown, BEFORE.plus(ROUTED).toMillis(), MILLISECONDS);
      assertTrue(timer.awaitTermination(60, SECONDS));
      assertTrue(calls.size() > 500, () -> "sent " + calls.size());
      return calls.stream().map(CallOutcome::awaitStatus).filter(end -> !end.isOk()).toList();
    }
  }

  private void call(Channel channel) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String millis = Integer.toString(random.nextInt(MAX_WORK_MILLIS));
    String parts = Integer.toString(random.nextInt(1, MAX_PARTS));
    calls.add(
        random.nextInt(ONE_STREAM_IN) == 0
            ? Clients.start(channel, Echo.PARTS, parts)
            : Clients.start(channel, Echo.WORK, millis));
  }
}
