package io.lastcall.examples.webflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service in a JVM of its own that gets a SIGTERM, with the library and without. */
@Timeout(600)
class ApplicationTest {
  private static final Pattern STARTED = Pattern.compile(" started on port (\\d+)");
  private static final String QUESTION = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path log;

  ApplicationTest(@TempDir Path folder) {
    log = folder.resolve("log");
  }

  @Test
  void sigterm_anAnswerIsStreamed_itIsWholeAndNewQuestionsAreAnsweredMeanwhile() throws Exception {
    Process service = start("--lastcall.propagation-delay=10s");
    try {
      int port = awaitStarted(service);
      Iterator<String> answer = ask(port);
      assertEquals("a", answer.next());
      terminate(service);
      await().atMost(Duration.ofMinutes(3)).until(() -> log().contains("SIGTERM"));
      assertWhole(ask(port), "a");
      assertWhole(answer, "b");
      assertTrue(service.waitFor(1, TimeUnit.MINUTES), this::log);
      assertEquals(0, service.exitValue(), this::log);
    } finally {
      service.destroyForcibly();
    }
  }

  /** Spring Boot's own graceful shutdown: what routers still send meanwhile is refused. */
  @Test
  void sigterm_withoutTheLibrary_newQuestionsAreRefusedMeanwhile() throws Exception {
    Process service = start("--lastcall.enabled=false");
    try {
      int port = awaitStarted(service);
      Iterator<String> answer = ask(port);
      assertEquals("a", answer.next());
      terminate(service);
      await().atMost(Duration.ofMinutes(3)).until(() -> refuses(port));
      assertWhole(answer, "b");
    } finally {
      service.destroyForcibly();
    }
  }

  private static void assertWhole(Iterator<String> answer, String first) {
    List<String> tokens = new ArrayList<>();
    answer.forEachRemaining(tokens::add);
    List<String> all = new ArrayList<>(Arrays.asList(QUESTION.split(" ", -1)));
    all.add("[DONE]");
    assertEquals(all.subList(all.indexOf(first), all.size()), tokens);
  }

  private Process start(String setting) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Application.class.getName(),
            "--server.port=0",
            setting);
    return builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private int awaitStarted(Process service) {
    Matcher started = STARTED.matcher("");
    await()
        .atMost(Duration.ofMinutes(3))
        .failFast("it ended", () -> !service.isAlive())
        .until(() -> started.reset(log()).find());
    int port = Integer.parseInt(started.group(1));
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> log().contains("Started Application") && !refuses(port));
    return port;
  }

  /** SIGTERM; {@code Process.destroy()} would do the same, and close the output. */
  private static void terminate(Process service) {
    service.toHandle().destroy();
  }

  /** Returns the tokens as they come. */
  private Iterator<String> ask(int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/chat"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"text\": \"" + QUESTION + "\"}"))
            .build();
    Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body();
    return lines
        .filter(line -> line.startsWith("data:"))
        .map(line -> line.substring("data:".length()))
        .iterator();
  }

  private boolean refuses(int port) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return !socket.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
