package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** A service in a JVM of its own, and what it has printed. */
final class Service implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
  private static final Duration LONG = Duration.ofMinutes(3);

  /** Lines that it has printed, in their order. */
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Thread reader;

  private Service(Process process) {
    this.process = process;
    reader =
        new Thread(
            () -> process.inputReader(StandardCharsets.UTF_8).lines().forEach(lines::add),
            "service output");
    reader.setDaemon(true);
    reader.start();
  }

  static Service start(Class<?> application, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // it starts faster
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(application.getName());
    command.add("--server.port=0");
    command.addAll(List.of(arguments));
    return new Service(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  /** Waits until it has started: before that a SIGTERM ends it at once. */
  void awaitStarted() {
    awaitLines("Started ", 1);
  }

  /** Asks it for a path, and does not wait for the answer. */
  CompletableFuture<HttpResponse<String>> get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + port() + path);
    return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Returns the port that it listens on; it has started. */
  int port() {
    Matcher port = PORT.matcher(output());
    assertTrue(port.find(), this::output);
    return Integer.parseInt(port.group(1));
  }

  /** Closes it if it never says so: a test that waits before it has it could not. */
  void awaitLines(String part, int count) {
    try {
      Awaitility.await().atMost(LONG).until(() -> count(part) >= count || !reader.isAlive());
      assertTrue(count(part) >= count, () -> "Never said: " + part + "\n" + output());
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  long count(String part) {
    return lines.stream().filter(line -> line.contains(part)).count();
  }

  /** Returns the pieces of the lines that begin with a word. */
  List<String> said(String word) {
    return lines.stream()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.split(" ", -1)[1])
        .toList();
  }

  void terminate() {
    process.toHandle().destroy(); // SIGTERM; Process.destroy() would close the output too
  }

  int awaitExit() throws InterruptedException {
    assertTrue(process.waitFor(3, TimeUnit.MINUTES), this::output);
    reader.join(LONG.toMillis());
    return process.exitValue();
  }

  String output() {
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
