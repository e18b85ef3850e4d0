package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.CapturedLog;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the answers of an API server, and its failures, do to a shutdown. */
@Timeout(120)
class PodWatchTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final String UNKNOWN =
      "The Pod's deadline is not known, what was declared counts: ";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  @TempDir private Path folder = Path.of("unset");
  private @Nullable FakeApiServer running;
  private final ManualTicker ticker = new ManualTicker();
  private final FixedControl control = new FixedControl(ticker);

  @BeforeEach
  void start() throws Exception {
    running = FakeApiServer.start(folder);
  }

  @AfterEach
  void stop() {
    server().close();
  }

  private FakeApiServer server() {
    return Objects.requireNonNull(running);
  }

  private PodWatch watch(ApiServer client) {
    return new PodWatch(client, ticker);
  }

  private void end() {
    watch(server().client(LONG)).ending(control);
    awaitAsked();
  }

  private void awaitAsked() {
    Awaitility.await().until(() -> !control.asked.isEmpty());
  }

  /** It fails: the reason is logged, once, and nothing is asked of the shutdown. */
  private void assertFails(ApiServer client, String reason) {
    PodWatch watch = watch(client);
    watch.installed(control);
    log.awaitLogged(UNKNOWN + reason);
    watch.ending(control);
    Awaitility.await().until(() -> threads().findAny().isEmpty());
    assertEquals(log.text().indexOf(UNKNOWN), log.text().lastIndexOf(UNKNOWN));
    assertEquals(List.of(), control.asked);
  }

  static Stream<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("lastcall-own-pod"));
  }

  @Test
  void ending_deletedWithAShorterGracePeriod_isShortenedToThat() {
    server().deleted(0, 5);
    end();
    assertEquals(List.of("GET /api/v1/namespaces/shop/pods/web-7d4b-x2x true"), server().requests);
    assertEquals(1, control.asked.size());
    assertTrue(control.deleted);
    assertTrue(
        control.asked.get(0).endsWith("with a grace period of 5 s"), control.asked::toString);
  }

  @ParameterizedTest
  @CsvSource({"0, 30", "0, 60", "10, 300"})
  void ending_notEarlierThanDeclared_shortensNothing(int secondsAgo, int grace) {
    server().deleted(secondsAgo, grace);
    watch(server().client(LONG)).ending(control);
    Awaitility.await().until(() -> !server().requests.isEmpty() && threads().findAny().isEmpty());
    assertTrue(control.deleted);
    assertEquals(List.of(), control.asked);
    assertFalse(log.text().contains(UNKNOWN), log::text);
  }

  @Test
  void ending_podIsNotBeingDeleted_itStays() {
    end();
    assertEquals(List.of("podStays"), control.asked);
    assertFalse(control.deleted);
    log.assertLogged("The Pod is not being deleted: its container ends, and its endpoint stays");
  }

  private PodWatch seenAtStart() {
    PodWatch watch = watch(server().client(LONG));
    seen(watch);
    return watch;
  }

  /** The Pod is there at the start. */
  private void seen(PodWatch watch) {
    watch.installed(control);
    Awaitility.await().until(() -> !server().requests.isEmpty() && threads().findAny().isEmpty());
  }

  static Stream<Arguments> gone() {
    return Stream.of(
        Arguments.of(404, FakeApiServer.notFound()),
        Arguments.of(200, FakeApiServer.pod("").replace("4b1f", "5c2a")));
  }

  @ParameterizedTest
  @MethodSource("gone")
  void ending_podWasSeenAndIsGone_onlyTheKubeletsFloorIsLeft(int status, String body) {
    PodWatch watch = seenAtStart();
    server().answers(status, body);
    watch.ending(control);
    awaitAsked();
    assertEquals(List.of("shorten: since the Pod is gone"), control.asked);
    assertEquals(Duration.ofSeconds(2), control.killed);
    assertTrue(control.deleted);
  }

  @ParameterizedTest
  @MethodSource("gone")
  void hasBegun_podWasSeenAndIsGone_itHas(int status, String body) {
    PodWatch watch = watch(server().client(LONG));
    watch.remember();
    Awaitility.await().until(() -> !server().requests.isEmpty() && threads().findAny().isEmpty());
    assertFalse(watch.hasBegun());
    server().answers(status, body);
    assertTrue(watch.hasBegun());
  }

  /** A name that was never seen may be wrong. */
  @Test
  void ending_podWasNeverSeen_whatWasDeclaredCounts() {
    server().gone();
    assertFails(server().client(LONG), ApiServer.NO_POD);
    assertFalse(watch(server().client(LONG)).hasBegun());
    assertFalse(control.deleted);
  }

  static Stream<Arguments> doubts() {
    String notFound = FakeApiServer.notFound();
    return Stream.of(
        Arguments.of(401, "{}", "401, the service account's token is not accepted"),
        Arguments.of(403, notFound, "403, the service account may not get its own Pod"),
        Arguments.of(404, "<html>404 page not found</html>", ApiServer.NO_POD),
        Arguments.of(404, "", ApiServer.NO_POD),
        // A path that an API server has not got yet, while it starts: details have no name.
        Arguments.of(
            404, notFound.replaceAll("\"details\":\\{[^}]*}", "\"details\":{}"), ApiServer.NO_POD),
        Arguments.of(404, notFound.replace("\"pods\"", "\"namespaces\""), ApiServer.NO_POD),
        Arguments.of(404, notFound.replace(FakeApiServer.POD, "db-0"), ApiServer.NO_POD),
        Arguments.of(500, notFound, "status 500"));
  }

  @ParameterizedTest
  @MethodSource("doubts")
  void ending_podWasSeenAndTheAnswerIsNoneOfTheApiServers_whatWasDeclaredCounts(
      int status, String body, String reason) {
    PodWatch watch = seenAtStart();
    server().answers(status, body);
    watch.ending(control);
    log.awaitLogged(UNKNOWN + reason);
    assertFalse(watch.hasBegun());
    assertEquals(List.of(), control.asked);
    assertFalse(control.deleted);
  }

  /** The namespace stands in a file, which may be another's by now: that was another question. */
  @Test
  void ending_namespaceIsAnother_whatWasDeclaredCounts() throws Exception {
    PodWatch watch = seenAtStart();
    Files.writeString(folder.resolve("namespace"), "shop-2");
    server().gone();
    watch.ending(control);
    log.awaitLogged(UNKNOWN + ApiServer.NO_POD);
    assertEquals(List.of(), control.asked);
    assertFalse(watch.hasBegun());
  }

  @Test
  void installed_podTerminatesAlready_stops() {
    server().deleted(3, 30);
    watch(server().client(LONG)).installed(control);
    awaitAsked();
    assertEquals(List.of("stop: the Pod's deletion, which was found at start"), control.asked);
  }

  @Test
  void installed_podRuns_doesNothing() {
    watch(server().client(LONG)).installed(control);
    Awaitility.await().until(() -> !server().requests.isEmpty() && threads().findAny().isEmpty());
    assertEquals(List.of(), control.asked);
  }

  static Stream<Arguments> badAnswers() {
    String status = "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"x\",\"code\":403}";
    String pod = FakeApiServer.pod("");
    return Stream.of(
        Arguments.of(401, status, "401, the service account's token is not accepted"),
        Arguments.of(403, status, "403, the service account may not get its own Pod"),
        Arguments.of(404, status, "404, there is no Pod of this name"),
        Arguments.of(500, status, "status 500"),
        Arguments.of(302, "", "status 302"),
        Arguments.of(200, status, "the answer is no Pod; its kind is Status"),
        Arguments.of(200, "[]", "the answer is no Pod; its kind is null"),
        Arguments.of(200, "", "half an answer, or no JSON: the end at character 0"),
        Arguments.of(200, "<html>sign in</html>", "half an answer, or no JSON: no value"),
        Arguments.of(200, pod.substring(0, 150), "half an answer, or no JSON: the end"),
        Arguments.of(
            200, pod.replace(FakeApiServer.POD, "db-0"), "the answer is another Pod's: db-0"),
        Arguments.of(
            200,
            FakeApiServer.pod(",\"deletionTimestamp\":\"tomorrow\""),
            "deletionTimestamp is no time: tomorrow"),
        Arguments.of(
            200,
            FakeApiServer.pod(",\"deletionTimestamp\":\"2026-11-28T02:00:00Z\""),
            "deletionGracePeriodSeconds is no number: null"),
        Arguments.of(200, " ".repeat(2_000_001), "the answer is longer than any Pod"));
  }

  @ParameterizedTest
  @MethodSource("badAnswers")
  void ask_badAnswer_whatWasDeclaredCounts(int status, String body, String reason) {
    server().answers(status, body);
    assertFails(server().client(LONG), reason);
  }

  @Test
  void ask_answerIsCutOff_whatWasDeclaredCounts() {
    server()
        .answers(
            exchange -> {
              exchange.sendResponseHeaders(200, 5_000);
              exchange
                  .getResponseBody()
                  .write(FakeApiServer.pod("").getBytes(StandardCharsets.UTF_8), 0, 90);
              exchange.getResponseBody().flush();
              throw new IOException("cut");
            });
    // JDK 17 returns the half that has come, and later ones throw "Premature EOF".
    assertFails(server().client(LONG), "");
  }

  @Test
  void ask_serverHangs_isNotWaitedFor() {
    CountDownLatch never = new CountDownLatch(1);
    server().answers(exchange -> await(never));
    assertFails(server().client(SHORT), "no answer within 200 ms");
  }

  @Test
  void ask_serverSpeaksNoTls_isNotWaitedFor() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String authority = "127.0.0.1:" + silent.getLocalPort();
      assertFails(FakeApiServer.client(authority, folder, SHORT), "no answer within 200 ms");
    }
  }

  @Test
  void ask_nobodyListens_whatWasDeclaredCounts() throws Exception {
    ApiServer client = server().client(LONG);
    server().close();
    assertFails(client, "java.net.ConnectException");
  }

  @Test
  void ask_certificateOfAnother_whatWasDeclaredCounts(@TempDir Path other) throws Exception {
    FakeApiServer.otherAccount(other);
    Files.copy(
        other.resolve("ca.crt"), folder.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
    assertFails(server().client(LONG), "javax.net.ssl.SSLHandshakeException");
  }

  @ParameterizedTest
  @CsvSource({"token", "ca.crt", "namespace"})
  void ask_fileIsMissing_whatWasDeclaredCounts(String name) throws Exception {
    Files.delete(folder.resolve(name));
    assertFails(
        server().client(LONG),
        "there is no " + folder.resolve(name) + "; is automountServiceAccountToken false?");
  }

  @Test
  void ask_certificateIsNone_whatWasDeclaredCounts() throws Exception {
    Files.writeString(folder.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----\nx\n");
    assertFails(server().client(LONG), folder.resolve("ca.crt") + " is no certificate");
  }

  @Test
  void ask_hostNameIsNotSet_whatWasDeclaredCounts() {
    assertFails(
        new ApiServer("127.0.0.1:1", folder, "", LONG), "HOSTNAME is not set; set pod-name");
  }

  @Test
  void ask_hostNameIsNoName_whatWasDeclaredCounts() {
    assertFails(new ApiServer("127.0.0.1:1", folder, "a b", LONG), "java.lang.Illegal");
  }

  /** The clocks of API server and node differ by minutes: only the server's own counts. */
  @ParameterizedTest
  @CsvSource({"-10", "0", "10"})
  void ending_clockIsOff_theServersDateCounts(int minutes, @TempDir Path other) throws Exception {
    Instant now = Instant.ofEpochSecond(Instant.now().getEpochSecond()).plusSeconds(minutes * 60L);
    String body = FakeApiServer.pod(FakeApiServer.deletion(now.plusSeconds(5), 5));
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atOffset(ZoneOffset.UTC));
    try (RawApiServer raw = new RawApiServer(other, "Date: " + date + "\r\n", body)) {
      watch(raw.client()).ending(control);
      awaitAsked();
      assertEquals(Duration.ofSeconds(5), control.killed);
    }
  }

  @Test
  void ask_answerHasNoDate_whatWasDeclaredCounts(@TempDir Path other) throws Exception {
    try (RawApiServer raw = new RawApiServer(other, "", FakeApiServer.pod(""))) {
      assertFails(raw.client(), "the answer has no Date, and the clock here may be off");
    }
  }

  @Test
  void close_requestWaits_isCutOffWithoutAWarning() {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    server()
        .answers(
            exchange -> {
              asked.countDown();
              await(never);
            });
    PodWatch watch = watch(server().client(LONG));
    watch.ending(control);
    await(asked);
    watch.close(Deadline.after(LONG, Ticker.system()));
    Awaitility.await().until(() -> threads().findAny().isEmpty());
    assertFalse(log.text().contains(UNKNOWN), log::text);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
