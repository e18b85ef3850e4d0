package io.lastcall.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A container of its own, deleted with less time than it was told. The test plays the kubelet. */
@Timeout(120)
class OwnDeadlineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /**
   * The seconds from SIGTERM to SIGKILL. The process is to leave by what it has found: by what was
   * declared it would take 29 s. A machine that stalls must not make it late.
   */
  private static final int LESS_THAN_DECLARED = 25;

  @TempDir private Path folder = Path.of("unset");
  private Path output = Path.of("unset");
  private @Nullable FakeApiServer running;
  private Optional<Process> started = Optional.empty();

  @BeforeEach
  void start() throws Exception {
    output = folder.resolve("output");
    running = FakeApiServer.start(folder);
  }

  @AfterEach
  void stop() {
    server().close();
    started.ifPresent(Process::destroyForcibly);
  }

  private FakeApiServer server() {
    return Objects.requireNonNull(running);
  }

  private Process container(String scenario) throws IOException {
    return container(ServedPod.class, scenario, server().environment());
  }

  private Process container(Class<?> main, String argument, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx48m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlastcall.service-account=" + folder,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName(),
            argument);
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("KUBERNETES_SERVICE_HOST");
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    Process container = builder.start();
    started = Optional.of(container);
    return container;
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "";
    }
  }

  /** Sends SIGTERM, and SIGKILL before the process would leave by what was declared. */
  private void delete(Process container, int graceSeconds) throws InterruptedException {
    Awaitility.await().atMost(PATIENCE).until(() -> output().contains("ready"));
    // The request at start is answered: the Pod is deleted after it.
    Awaitility.await().atMost(PATIENCE).until(() -> !server().requests.isEmpty());
    server().deleted(0, graceSeconds);
    kill(container, LESS_THAN_DECLARED);
  }

  private static void kill(Process container, int graceSeconds) throws InterruptedException {
    container.destroy();
    if (!container.waitFor(graceSeconds, TimeUnit.SECONDS)) {
      container.destroyForcibly();
    }
  }

  /** Of more than 15 s half is for routers: the other half is for a machine that is slow. */
  @Test
  void delete_gracePeriodOf16_anIdleContainerIsGoneByItself() throws Exception {
    Process container = container("idle");
    delete(container, 16);
    assertEquals(143, container.waitFor(), this::output);
    assertTrue(output().contains("SIGKILL comes earlier than declared"), this::output);
    assertEquals(List.of("LastcallBegan", "LastcallClean"), eventReasons(), this::output);
  }

  private List<String> eventReasons() {
    return server().events.stream()
        .map(event -> String.valueOf(PodState.member(Json.read(event), "reason")))
        .toList();
  }

  @Test
  void delete_gracePeriodOf5_aBusyContainerGivesUpInTime() throws Exception {
    Process container = container("busy");
    delete(container, 5);
    // 81 where a slow machine leaves no time for more than the halt; 137 would be SIGKILL.
    int code = container.waitFor();
    assertTrue(Set.of(80, 81).contains(code), this::output);
    assertTrue(output().contains("step 'endless'"), this::output);
    // The second has a tenth of a second here, which a slow machine may not have.
    assertTrue(
        Set.of("LastcallBegan", "LastcallIncomplete", "LastcallHalted").containsAll(eventReasons()),
        () -> eventReasons() + output());
    assertEquals("LastcallBegan", eventReasons().get(0), this::output);
  }

  /** Deleted by force: the object is gone at once, and a successor may run. */
  @Test
  void delete_byForce_theContainerLeavesByItself() throws Exception {
    Process container = container("busy");
    Awaitility.await().atMost(PATIENCE).until(() -> output().contains("ready"));
    Awaitility.await().atMost(PATIENCE).until(() -> !server().requests.isEmpty());
    server().gone();
    kill(container, LESS_THAN_DECLARED);
    assertTrue(Set.of(80, 81).contains(container.waitFor()), this::output);
    assertTrue(output().contains("since the Pod is gone"), this::output);
  }

  @Test
  void start_thePodTerminatesAlready_theContainerEndsWithoutASignal() throws Exception {
    server().deleted(1, 20);
    Process container = container("unrouted");
    assertTrue(container.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), this::output);
    assertEquals(143, container.exitValue(), this::output);
    assertTrue(
        output().contains("Shutdown begun by the Pod's deletion, which was found at start"),
        this::output);
    // One request, or two: the process may be gone before it asks again.
    assertFalse(server().requests.isEmpty());
    assertTrue(server().requests.stream().allMatch(line -> line.endsWith("true")));
  }

  /** New connections until the end: a router has not learnt of the deletion. */
  @Test
  void delete_gracePeriodOf10_tomcatServesRequestsForTheTimeThatThereIs() throws Exception {
    Process container = container(TomcatPod.class, folder.toString(), server().environment());
    List<Sent> requests = deleteUnderLoad(container, 10, true);
    // Clean, requests given up, halted: by itself, and neither at 30 s nor by SIGKILL.
    int code = container.waitFor();
    assertTrue(Set.of(0, 80, 81).contains(code), () -> code + ": " + output());
    assertTrue(output().contains("since the Pod was deleted"), this::output);
    // DRAIN ends after some 8.9 s: that leaves more than two for a machine that is slow.
    List<Sent> lost =
        requests.stream()
            .filter(sent -> !sent.outcome.equals("200"))
            .filter(sent -> sent.after.plus(TomcatPod.WORK).toMillis() < 6_500)
            .toList();
    assertEquals(List.of(), lost, this::output);
  }

  /** The row without the module: nothing says that the time is short, and SIGKILL cuts it off. */
  @Test
  void delete_gracePeriodOf5ThatIsNotFound_requestsAreCutOffBySigkill() throws Exception {
    Process container = container(TomcatPod.class, folder.toString(), Map.of());
    List<Sent> requests = deleteUnderLoad(container, 5, false);
    assertEquals(137, container.waitFor(), this::output);
    assertTrue(requests.stream().anyMatch(sent -> sent.outcome.equals("cut")), requests::toString);
  }

  /**
   * A request.
   *
   * @param after how long after the deletion it was sent; negative before it
   * @param outcome its status; "refused" without a connection; "cut" without a whole answer
   */
  private record Sent(Duration after, String outcome) {}

  /**
   * @param found whether the process finds how short the time is
   */
  private List<Sent> deleteUnderLoad(Process container, int graceSeconds, boolean found)
      throws Exception {
    Awaitility.await().atMost(PATIENCE).until(() -> output().contains("ready on port "));
    if (found) {
      Awaitility.await().atMost(PATIENCE).until(() -> !server().requests.isEmpty());
    }
    Matcher port = Pattern.compile("ready on port (\\d+)").matcher(output());
    assertTrue(port.find());
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)));
    Map<Long, String> outcomes = new ConcurrentHashMap<>();
    List<Thread> clients =
        IntStream.range(0, 5)
            .mapToObj(
                client ->
                    new Thread(
                        () -> {
                          while (container.isAlive()) {
                            outcomes.put(System.nanoTime(), send(address));
                          }
                        }))
            .toList();
    clients.forEach(Thread::start);
    Awaitility.await().atMost(PATIENCE).until(() -> outcomes.containsValue("200"));
    long deleted = System.nanoTime();
    server().deleted(0, graceSeconds);
    kill(container, found ? LESS_THAN_DECLARED : graceSeconds);
    for (Thread client : clients) {
      client.join();
    }
    return outcomes.entrySet().stream()
        .map(entry -> new Sent(Duration.ofNanos(entry.getKey() - deleted), entry.getValue()))
        .toList();
  }

  private static String send(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      try {
        socket.connect(address);
      } catch (IOException e) {
        return "refused";
      }
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: pod\r\n\r\n".getBytes(UTF_8));
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
      String status = in.readLine();
      String line = status;
      while (line != null && !line.equals("done")) {
        if (status.contains(" 503")) {
          return "503";
        }
        line = in.readLine();
      }
      return line == null ? "cut" : status.split(" ")[1];
    } catch (IOException e) {
      return "cut";
    }
  }
}
