package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A probe port of its own, under bad clients; a kubelet asks it all the time. */
final class ProbeFaults {
  private static final String HEAD = "GET /livez HTTP/1.1\r\nHost: localhost\r\n";

  private ProbeFaults() {}

  static List<Fault> all() {
    return List.of(
        probes("200 idle connections").before(many(200, "")),
        probes("64 heads that are sent byte by byte")
            .before(many(64, ""))
            .after(ProbeFaults::dribble),
        probes("64 heads that never end").before(many(64, HEAD)),
        probes("64 headers without an end")
            .before(many(64, HEAD + "X-Long: " + "x".repeat(100_000))),
        probes("64 times something that is not HTTP")
            .before(many(64, "\u0016\u0003\u0001\0\0\r\n\r\n")),
        probes("connections that open and close all the time").after(ProbeFaults::flood),
        probes("connections that are reset").after(ProbeFaults::reset));
  }

  private static Fault probes(String name) {
    return Fault.of("Probe port", NETTY, name, Right.clean())
        .with("lastcall.probe-port", freePort())
        .breaks("step:DRAIN=slow")
        .after(ProbeFaults::kubelet);
  }

  private static String freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Fault.Part many(int count, String text) {
    return run -> {
      for (int connection = 0; connection < count; connection++) {
        openIfLetIn(run, text);
      }
    };
  }

  /** Nothing says that all of them get in. */
  private static void openIfLetIn(Run run, String text) {
    try {
      run.open(run.port("probes"), text);
    } catch (IOException e) {
      run.note("not let in: " + e);
    }
  }

  /** Asks for liveness and has to be answered, also while DRAIN waits. */
  private static void kubelet(Run run) throws IOException {
    for (int probe = 0; probe < 16; probe++) {
      run.awaitMillisAfterTrigger(200L * probe);
      run.mustAnswer(run.port("probes"), "/livez");
    }
  }

  private static void dribble(Run run) throws IOException {
    try (Socket socket = Http.socket(run.port("probes"))) {
      for (byte next : HEAD.getBytes(StandardCharsets.US_ASCII)) {
        socket.getOutputStream().write(next);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  private static void flood(Run run) {
    while (run.isAlive()) {
      try (Socket socket = Http.socket(run.port("probes"))) {
        socket.setTcpNoDelay(true);
      } catch (IOException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  private static void reset(Run run) {
    while (run.isAlive()) {
      try (Socket socket = Http.socket(run.port("probes"))) {
        socket.setSoLinger(true, 0);
        socket.getOutputStream().write('G');
      } catch (IOException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }
}
