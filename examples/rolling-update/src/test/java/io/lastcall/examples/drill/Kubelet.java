package io.lastcall.examples.drill;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A kubelet's probe worker: asks every period, each time on a new connection, waits a second, and
 * changes its mind after three failures or one success in a row (Kubernetes API, Probe; the
 * thresholds and the timeout are the defaults). It begins with "failed".
 */
final class Kubelet implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int FAILURE_THRESHOLD = 3;

  /** One way to ask; throws or returns false if the probe fails. */
  @FunctionalInterface
  interface Mechanism {
    boolean passes() throws IOException, InterruptedException;
  }

  private final ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(1);
  private final Mechanism mechanism;
  private final List<Boolean> verdicts = new CopyOnWriteArrayList<>();
  private boolean passing;
  private int contrary;

  Kubelet(Mechanism mechanism) {
    this.mechanism = mechanism;
    var unused =
        worker.scheduleAtFixedRate(this::probe, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** HTTP 200-399 passes. */
  static Mechanism httpGet(int port, String path) {
    return () -> {
      int status = get(port, path, TIMEOUT_MILLIS);
      return status >= 200 && status < 400;
    };
  }

  /** Exit status 0 passes. */
  static Mechanism exec(String... command) {
    return () -> new ProcessBuilder(command).start().waitFor() == 0;
  }

  /** A {@code preStop} of type {@code httpGet}: it may take as long as the grace period. */
  static int preStop(int port, String path, Duration gracePeriod) throws IOException {
    return get(port, path, (int) gracePeriod.toMillis());
  }

  private static int get(int port, String path, int timeoutMillis) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(timeoutMillis);
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
    if (contrary >= (passing ? FAILURE_THRESHOLD : 1)) {
      passing = passed;
      contrary = 0;
      verdicts.add(passing);
    }
  }

  /** Returns whether these, and no others, are what it has told the API server so far. */
  boolean told(Boolean... passes) {
    return verdicts.equals(List.of(passes));
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
