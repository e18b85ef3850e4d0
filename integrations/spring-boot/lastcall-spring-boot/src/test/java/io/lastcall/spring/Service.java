package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.service.TestApplication;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;

/** {@link TestApplication}, or another, in a JVM of its own. */
final class Service implements AutoCloseable {
  private static final Pattern PORT =
      Pattern.compile("(?:Tomcat|Jetty|Netty) started on port (\\d+)");

  /** A start takes four seconds of a core, which is minutes on a machine that does much else. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  /** HTTP/1.1: before JDK 24 the client drops what it has not read yet when a GOAWAY comes. */
  private HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private String scheme = "http";

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Process process;

  /** Ends with the output, which may be behind the process. */
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

  static Service start(String... arguments) throws IOException {
    return start(TestApplication.class, arguments);
  }

  static Service start(Class<?> application, String... arguments) throws IOException {
    // It starts faster, and nothing here is about how fast it runs.
    return start(List.of("-XX:TieredStopAtLevel=1"), application, arguments);
  }

  /** In a JVM as most users have it; it takes twice as long to start. */
  static Service startWithoutFlags(Class<?> application, String... arguments) throws IOException {
    return start(List.of(), application, arguments);
  }

  /** With the variable by which a process knows that it runs in a pod. */
  static Service inKubernetes(Class<?> application, String... arguments) throws IOException {
    ProcessBuilder builder = builder(List.of("-XX:TieredStopAtLevel=1"), application, arguments);
    builder.environment().put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    return new Service(builder.start());
  }

  /**
   * Without some jars.
   *
   * @param jars a regular expression for how their names begin
   */
  static Service startWithout(String jars, Class<?> application, String... arguments)
      throws IOException {
    ProcessBuilder builder = builder(List.of("-XX:TieredStopAtLevel=1"), application, arguments);
    List<String> command = builder.command();
    int classPath = command.indexOf("-cp") + 1;
    command.set(
        classPath,
        Arrays.stream(command.get(classPath).split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().matches(jars + ".*"))
            .collect(Collectors.joining(File.pathSeparator)));
    return new Service(builder.start());
  }

  private static Service start(List<String> flags, Class<?> application, String... arguments)
      throws IOException {
    return new Service(builder(flags, application, arguments).start());
  }

  /** With what was made ahead of time, which comes first on the class path. */
  static Service startAheadOfTime(Path classes, Class<?> application, String... arguments)
      throws IOException {
    List<String> flags = List.of("-XX:TieredStopAtLevel=1", "-Dspring.aot.enabled=true");
    ProcessBuilder builder = builder(flags, application, arguments);
    List<String> command = builder.command();
    int classPath = command.indexOf("-cp") + 1;
    command.set(classPath, classes + File.pathSeparator + command.get(classPath));
    return new Service(builder.start());
  }

  /** Starts a process whose output nothing reads. */
  static Process startUnread(Class<?> application, String... arguments) throws IOException {
    return builder(List.of("-XX:TieredStopAtLevel=1"), application, arguments).start();
  }

  private static ProcessBuilder builder(
      List<String> flags, Class<?> application, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(application.getName());
    command.add("--server.port=0");
    command.add("--logging.level.io.lastcall.GracefulShutdown=debug"); // each phase has a line
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** From now on. */
  void speakTls(SSLContext context) {
    client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
    scheme = "https";
  }

  /** Waits until it is ready: before that a SIGTERM ends it at once. */
  int port() {
    int port = boundPort();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> get(port, "/readyz").get(60, TimeUnit.SECONDS).statusCode(), code -> code == 200);
    return port;
  }

  /** Of a service without our probes. */
  int boundPort() {
    return portOf(awaitLine("started on port"));
  }

  /** Actuator's own, if it has one; the service is ready. */
  int managementPort() {
    List<String> started = lines.stream().filter(line -> PORT.matcher(line).find()).toList();
    assertEquals(2, started.size(), this::output);
    return portOf(started.get(1));
  }

  private static int portOf(String line) {
    Matcher matcher = PORT.matcher(line);
    assertTrue(matcher.find(), line);
    return Integer.parseInt(matcher.group(1));
  }

  CompletableFuture<HttpResponse<String>> get(int port, String path) {
    return send(port, "GET", path);
  }

  CompletableFuture<HttpResponse<String>> send(int port, String method, String path) {
    return send(port, method, path, "*/*");
  }

  CompletableFuture<HttpResponse<String>> send(
      int port, String method, String path, String accept) {
    URI uri = URI.create(scheme + "://127.0.0.1:" + port + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.noBody())
            .header("Accept", accept)
            .build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  void terminate() {
    process.toHandle().destroy(); // SIGTERM; Process.destroy() would close the output too
  }

  /** Lets go on what waits for its standard input. */
  void goOn() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Closes it if it never says so: a test that waits before it has it could not. */
  String awaitLine(String part) {
    try {
      Awaitility.await().atMost(PATIENCE).until(() -> index(part) >= 0 || !reader.isAlive());
      assertTrue(index(part) >= 0, () -> "Never said: " + part + "\n" + output());
      return lines.get(index(part));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Returns where a line is in the output, or -1. */
  int index(String part) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }

  long count(String part) {
    return lines.stream().filter(line -> line.contains(part)).count();
  }

  /** Waits for all of the output, too. */
  int awaitExit() throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it ends");
    reader.join(PATIENCE.toMillis());
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
