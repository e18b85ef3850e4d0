package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Armeria's own graceful stop serves for a while: nothing of Lastcall's refuses a request then. */
@Timeout(300)
class ArmeriaStopTest {
  private static final Map<String, String> SHORT =
      Map.of("LASTCALL_GRACE_PERIOD", "120s", "LASTCALL_PROPAGATION_DELAY", "0s");

  @Test
  void stop_requestOnAKeptConnection_isServedWhileArmeriaWaitsForQuiet() throws Exception {
    List<String> options = List.of(AgentJvm.agent(), "-Dquiet=10000");
    try (AgentJvm jvm = AgentJvm.start(ArmeriaApplication.class, options, SHORT);
        Socket kept = new Socket("localhost", jvm.port())) {
      assertEquals("HTTP/1.1 200 OK", status(kept, "/first"));

      jvm.terminate();
      jvm.awaitLine("Armeria stops");

      assertEquals("HTTP/1.1 200 OK", status(kept, "/late"), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  /** Reads the whole response, whose body is {@code answered PATH}. */
  private static String status(Socket socket, String path) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    String status = in.readLine();
    for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
      // Its headers.
    }
    char[] body = new char[("answered " + path).length()];
    int read = in.read(body);
    return read == body.length ? status : status + " without its body";
  }
}
