package io.lastcall.examples.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quick start in a JVM of its own, a real SIGTERM, and a real client. */
@Timeout(240)
class JdkExampleTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private CompletableFuture<HttpResponse<String>> get(String port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"200", "204"})
  void sigterm_anotherThreadAnswersLater_isAwaited(String status) throws Exception {
    try (Program server =
        new Program(AnswersLater.class, List.of(status), "-Dlastcall.grace-period=60s")) {
      server.await("says", 1);
      String port = server.lines().get(0).subject();
      CompletableFuture<HttpResponse<String>> later = get(port, "/later");
      server.await("says", 2);
      assertEquals("returned", server.lines().get(1).subject());
      server.sigterm();
      server.await("says", 3);
      assertEquals("draining", server.lines().get(2).subject());
      int answered = get(port, "/now").get(60, TimeUnit.SECONDS).statusCode();
      assertEquals(status, Integer.toString(answered));
      assertEquals(answered, later.get(60, TimeUnit.SECONDS).statusCode());
      assertEquals(0, server.awaitExit());
    }
  }

  @Test
  void sigterm_eventStreamIsOpen_endsWhole() throws Exception {
    try (Program server =
        new Program(AnswersLater.class, List.of("200"), "-Dlastcall.grace-period=60s")) {
      server.await("says", 1);
      URI uri = URI.create("http://127.0.0.1:" + server.lines().get(0).subject() + "/events");
      try (InputStream events =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream()).body()) {
        assertEquals('d', events.read());
        server.sigterm();
        // Fails where the last chunk is missing.
        assertTrue(new String(events.readAllBytes(), StandardCharsets.US_ASCII).endsWith("\n\n"));
      }
      assertEquals(0, server.awaitExit());
    }
  }

  /** The agent has the same classes: a fix of one is a fix of both. */
  @ParameterizedTest
  @ValueSource(strings = {"JdkCounting", "JdkExchange", "JdkTlsExchange"})
  void classToCopy_isTheAgents(String name) throws IOException {
    String agents =
        Files.readString(
            Path.of(
                "../../integrations/agent/src/main/java/io/lastcall/agent/server/"
                    + name
                    + ".java"));
    String copied =
        Files.readString(Path.of("src/main/java/io/lastcall/examples/jdk/" + name + ".java"));
    assertEquals(agents.substring(agents.indexOf('\n')), copied.substring(copied.indexOf('\n')));
  }
}
