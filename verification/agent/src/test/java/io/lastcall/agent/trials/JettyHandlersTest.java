package io.lastcall.agent.trials;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jetty 9.4 and 11 with a handler of their own, which no filter sees, beside servlets. */
@Tag("all")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JettyHandlersTest {
  private static final int SIGTERMED = 143;
  private static final int INCOMPLETE = 80;
  private static final String AGENT = "-javaagent:" + System.getProperty("agent.jar");
  private static final String IN_DRAIN = "DRAIN has waited for 5 s";
  private static final String READY = "ready on port ";
  private static final Builds BUILDS = new Builds();

  @ParameterizedTest
  @CsvSource({
    "jetty-9.4, /hold",
    "jetty-9.4, /servlets/hold",
    "jetty-11, /hold",
    "jetty-11, /servlets/hold"
  })
  void sigterm_requestInFlight_isAnsweredInDrain(String jetty, String path) throws Exception {
    try (Service service = new Service(jetty, "30s", AGENT)) {
      CompletableFuture<HttpResponse<String>> inFlight = service.get(path);
      service.readTo("holds");

      service.process.toHandle().destroy();
      service.readTo(IN_DRAIN);
      service.process.getOutputStream().write('\n');
      service.process.getOutputStream().flush();

      assertEquals("answered", inFlight.join().body(), service::log);
      service.readToEnd();
      assertEquals(0, service.process.waitFor(), service::log);
      assertTrue(service.log().contains("outcome=CLEAN"), service::log);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "jetty-9.4, /hold",
    "jetty-9.4, /servlets/hold",
    "jetty-11, /hold",
    "jetty-11, /servlets/hold"
  })
  void sigterm_requestThatOutlastsDrain_endsIncomplete(String jetty, String path) throws Exception {
    try (Service service = new Service(jetty, "2s", AGENT)) {
      CompletableFuture<HttpResponse<String>> inFlight = service.get(path);
      service.readTo("holds");

      service.process.toHandle().destroy();

      assertThrows(CompletionException.class, inFlight::join);
      service.readToEnd();
      assertEquals(INCOMPLETE, service.process.waitFor(), service::log);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"jetty-9.4", "jetty-11"})
  void sigterm_withoutTheAgent_requestInFlightIsLost(String jetty) throws Exception {
    try (Service service = new Service(jetty, "30s")) {
      CompletableFuture<HttpResponse<String>> inFlight = service.get("/hold");
      service.readTo("holds");

      service.process.toHandle().destroy();

      assertThrows(CompletionException.class, inFlight::join);
      assertEquals(SIGTERMED, service.process.waitFor());
    }
  }

  private static final class Service implements AutoCloseable {
    private final List<String> lines = new ArrayList<>();
    private final Process process;
    private final BufferedReader output;
    private final int port;

    Service(String jetty, String drainTimeout, String... options) throws IOException {
      BUILDS.build(jetty);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(options));
      command.addAll(List.of("-jar", "services/" + jetty + "/target/service.jar"));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      Map<String, String> environment = builder.environment();
      environment.keySet().removeIf(name -> name.startsWith("LASTCALL_"));
      environment.remove("KUBERNETES_SERVICE_HOST");
      environment.remove("JAVA_TOOL_OPTIONS");
      environment.put("LASTCALL_GRACE_PERIOD", "60s");
      environment.put("LASTCALL_DRAIN_TIMEOUT", drainTimeout);
      process = builder.start();
      output =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String ready = readTo(READY);
      port = Integer.parseInt(ready.substring(ready.indexOf(READY) + READY.length()).trim());
    }

    CompletableFuture<HttpResponse<String>> get(String path) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
      return HttpClient.newHttpClient().sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Returns the first line from here on that has the text. */
    String readTo(String text) throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.contains(text)) {
          return line;
        }
      }
      throw new AssertionError("without '" + text + "' it ended: " + log());
    }

    void readToEnd() {
      output.lines().forEach(lines::add);
    }

    String log() {
      return String.join("\n", lines);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
