package io.lastcall.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A kubelet's probe worker: asks every period, each time on a new connection, and changes its mind
 * after so many failures, or one success, in a row (Kubernetes API, Probe: periodSeconds,
 * failureThreshold). It begins with "failed".
 */
public final class Kubelet implements AutoCloseable {
  /** The default of timeoutSeconds. */
  public static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** One way to ask; throws or returns false if the probe fails. */
  @FunctionalInterface
  public interface Mechanism {
    boolean passes() throws IOException, InterruptedException;
  }

  /** Something it has told the API server, and when. */
  private record Verdict(boolean passing, long atNanos) {}

  private final ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(1);
  private final Mechanism mechanism;
  private final int failureThreshold;
  private final List<Verdict> verdicts = new CopyOnWriteArrayList<>();
  private boolean passing;
  private int contrary;

  public Kubelet(Mechanism mechanism, Duration period, int failureThreshold) {
    this.mechanism = mechanism;
    this.failureThreshold = failureThreshold;
    var unused =
        worker.scheduleWithFixedDelay(this::probe, 0, period.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** HTTP 200-399 passes. */
  public static Mechanism httpGet(int port, String path) {
    return () -> {
      int status = get(port, path, TIMEOUT);
      return status >= 200 && status < 400;
    };
  }

  /** Exit status 0 passes. */
  public static Mechanism exec(String... command) {
    return () -> {
      Process process = new ProcessBuilder(command).start();
      return process.waitFor(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
    };
  }

  /** A port that opens passes. */
  public static Mechanism tcpSocket(int port) {
    return () -> {
      connect(port, TIMEOUT).close();
      return true;
    };
  }

  /**
   * A {@code preStop} of type {@code httpGet}, which may take as long as the grace period; returns
   * the status.
   */
  public static int preStop(int port, String path, Duration gracePeriod) throws IOException {
    return get(port, path, gracePeriod);
  }

  private static int get(int port, String path, Duration timeout) throws IOException {
    try (Socket socket = connect(port, timeout)) {
      String request =
          "GET "
              + path
              + " HTTP/1.1\r\nHost: pod\r\nUser-Agent: kube-probe/1.34\r\n"
              + "Accept: */*\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String response =
          new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      if (!response.matches("(?s)HTTP/1\\.1 \\d{3} .*\r\n\r\n.*")) {
        throw new IOException("No response: '" + response + "'");
      }
      return Integer.parseInt(response.substring(9, 12));
    }
  }

  private static Socket connect(int port, Duration timeout) throws IOException {
    int millis = (int) timeout.toMillis();
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
    socket.setSoTimeout(millis);
    return socket;
  }

  private void probe() {
    boolean passed;
    try {
      passed = mechanism.passes();
    } catch (IOException e) {
      passed = false;
    } catch (InterruptedException e) {
      return; // closed
    }
    contrary = passed == passing ? 0 : contrary + 1;
    if (contrary >= (passing ? failureThreshold : 1)) {
      passing = passed;
      contrary = 0;
      verdicts.add(new Verdict(passing, System.nanoTime()));
    }
  }

  /** Returns how long after {@link System#nanoTime()} was {@code nanos} it told of the failure. */
  public Duration failedAfter(long nanos) {
    return Duration.ofNanos(verdicts.get(1).atNanos() - nanos);
  }

  /** Returns whether these, and no others, are what it has told so far. */
  public boolean told(Boolean... passes) {
    return verdicts.stream().map(Verdict::passing).toList().equals(List.of(passes));
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
