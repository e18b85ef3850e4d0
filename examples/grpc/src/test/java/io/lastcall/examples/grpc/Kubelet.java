package io.lastcall.examples.grpc;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A kubelet's worker for a {@code grpc} probe: every period a Check on a connection of its own,
 * with a second to answer; SERVING passes, anything else fails. It changes its mind after so many
 * failures, or one success, in a row (Kubernetes API, Probe), and begins with "failed".
 */
final class Kubelet implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(200);
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** Something it has told the API server, and when. */
  record Verdict(boolean passing, long atNanos) {}

  private final ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(1);
  private final int port;
  private final String service;
  private final int failureThreshold;
  private final List<Verdict> verdicts = new CopyOnWriteArrayList<>();
  private boolean passing;
  private int contrary;

  Kubelet(int port, String service, int failureThreshold) {
    this.port = port;
    this.service = service;
    this.failureThreshold = failureThreshold;
    var unused =
        worker.scheduleAtFixedRate(this::probe, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void probe() {
    boolean passed = passes();
    contrary = passed == passing ? 0 : contrary + 1;
    if (contrary >= (passing ? failureThreshold : 1)) {
      passing = passed;
      contrary = 0;
      verdicts.add(new Verdict(passing, System.nanoTime()));
    }
  }

  private boolean passes() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      return HealthGrpc.newBlockingStub(channel)
              .withDeadlineAfter(TIMEOUT)
              .check(HealthCheckRequest.newBuilder().setService(service).build())
              .getStatus()
          == ServingStatus.SERVING;
    } catch (StatusRuntimeException e) {
      return false;
    } finally {
      channel.shutdownNow();
    }
  }

  /** What it has told, in order; the first one is that it passes. */
  List<Verdict> verdicts() {
    return List.copyOf(verdicts);
  }

  boolean told(Boolean... passes) {
    return verdicts.stream().map(Verdict::passing).toList().equals(List.of(passes));
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
