package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.awaitility.Awaitility;

/** An application in a JVM of its own, with the agent or without, and nothing of Lastcall else. */
final class AgentJvm implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String READY = "ready on port ";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Process process;

  private AgentJvm(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    builder.environment().remove("KUBERNETES_SERVICE_HOST");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    process = builder.start();
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Returns the jar that the build has just made. */
  static Path jar() {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("lastcall-agent-[^-]+(-SNAPSHOT)?.jar"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String agent() {
    return "-javaagent:" + jar();
  }

  /** Starts an application, which says on which port it is ready, or ends. */
  static AgentJvm start(Class<?> application, List<String> options, Map<String, String> environment)
      throws IOException {
    return start(classPath(), application.getName(), options, environment);
  }

  static AgentJvm start(
      String classPath, String main, List<String> options, Map<String, String> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    AgentJvm jvm = new AgentJvm(command, environment);
    jvm.awaitReady();
    return jvm;
  }

  /** Closes it if it is not ready in time: the test has nothing to close. */
  private void awaitReady() {
    try {
      Awaitility.await().atMost(PATIENCE).until(() -> hasLogged(READY) || !process.isAlive());
    } catch (RuntimeException | Error notReady) {
      close();
      throw notReady;
    }
  }

  /** Returns the class path of this JVM without Lastcall, and without what the agent needs. */
  static String classPath() {
    return all()
        .filter(entry -> !entry.contains("lastcall-") && !entry.contains("/asm"))
        .filter(entry -> !entry.endsWith("/integrations/agent/target/classes"))
        .filter(entry -> !isOfOtherModule(entry))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns all of it but the agent. */
  static String classPathWithLastcall() {
    return all()
        .filter(entry -> !entry.endsWith("/integrations/agent/target/classes"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isOfOtherModule(String entry) {
    return entry.endsWith("/target/classes");
  }

  private static Stream<String> all() {
    String classes = System.getProperty("surefire.test.class.path");
    return Stream.of(
        (classes == null ? System.getProperty("java.class.path") : classes)
            .split(File.pathSeparator, -1));
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(output::add);
    } catch (IOException | UncheckedIOException closed) {
      output.add("(closed)");
    }
  }

  int port() {
    String ready = output.stream().filter(line -> line.contains(READY)).findFirst().orElseThrow();
    return Integer.parseInt(ready.substring(ready.indexOf(READY) + READY.length()).trim());
  }

  /** Asks for a path by a connection of its own; fails as that fails. */
  CompletableFuture<HttpResponse<String>> get(String path) {
    int port = port();
    return client.sendAsync(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .version(HttpClient.Version.HTTP_1_1)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends a line by TCP, and returns the line that comes back. */
  String echo(String line) throws IOException {
    return echo(line, SocketFactory.getDefault());
  }

  String echo(String line, SocketFactory sockets) throws IOException {
    try (Socket socket = sockets.createSocket("localhost", port());
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
      return in.readLine();
    }
  }

  /** Asks by HTTP/1.0, to the end of the connection. */
  String body(String path, SocketFactory sockets) throws IOException {
    try (Socket socket = sockets.createSocket("localhost", port())) {
      byte[] request = ("GET " + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
      socket.getOutputStream().write(request);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
  }

  /** As a health check does that connects, and no more. */
  void connect() throws IOException {
    new Socket("localhost", port()).close();
  }

  /**
   * Waits for the echo of a byte that may begin HTTP/2, and so decides nothing. The server was
   * added before that, by the thread that accepts.
   */
  void awaitAccepting() throws IOException {
    try (Socket socket = new Socket("localhost", port())) {
      socket.getOutputStream().write('P');
      assertEquals('P', socket.getInputStream().read(), this::log);
    }
  }

  /** Has a request for /hold answered. */
  void release() throws IOException {
    OutputStream in = process.getOutputStream();
    in.write('\n');
    in.flush();
  }

  void terminate() {
    process.toHandle().destroy(); // Process.destroy() closes its output, too
  }

  boolean hasLogged(String text) {
    return output.stream().anyMatch(line -> line.contains(text));
  }

  List<String> lines(String with) {
    return output.stream().filter(line -> line.contains(with)).toList();
  }

  void awaitLine(String text) {
    Awaitility.await().atMost(PATIENCE).untilAsserted(() -> assertTrue(hasLogged(text), this::log));
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("still runs:\n" + log());
    }
    return process.exitValue();
  }

  String log() {
    return String.join("\n", output);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
