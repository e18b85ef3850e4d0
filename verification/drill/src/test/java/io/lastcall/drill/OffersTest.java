package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.cluster.Ports;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every example server offers, with the library and without. */
@Timeout(300)
class OffersTest {
  private static final List<String> PROBES = List.of("/livez", "/readyz", "/startupz");
  private static final List<String> HTTP_2_SERVERS = List.of("tomcat", "jetty", "netty");
  private static final List<String> SERVLET_SERVERS =
      List.of("tomcat", "jetty", "undertow", "spring-boot", "spring-boot-jetty");
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration START = Duration.ofSeconds(60);

  static Stream<String> servers() {
    Stream<String> all =
        Stream.of(
            "tomcat",
            "jetty",
            "undertow",
            "jdk",
            "armeria",
            "netty",
            "spring-boot",
            "spring-boot-jetty",
            "spring-boot-webflux",
            "reactor-netty",
            "vertx");
    // Helidon 4 needs Java 21.
    return Runtime.version().feature() < 21 ? all : Stream.concat(all, Stream.of("helidon"));
  }

  /** Those that only their listener's hook tells from Netty are tried with the library alone. */
  static Stream<String> serversAndFrameworks() {
    return Stream.concat(servers(), Stream.of("micronaut", "ktor"));
  }

  static Stream<String> serversWithoutSpringBoot() {
    return servers().filter(name -> !name.startsWith("spring-boot"));
  }

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Path folder;

  OffersTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @MethodSource("serversAndFrameworks")
  @Tag("each-jdk")
  void server_withTheLibrary_offersAllAndEndsItsEventStreams(String name) throws Exception {
    int probePort = Ports.next();
    Map<String, String> environment =
        Map.of(
            "PROBE_PORT",
            Integer.toString(probePort),
            // Short: no server has a setting of its own that would not fit.
            "LASTCALL_GRACE_PERIOD",
            "15s",
            "LASTCALL_PROPAGATION_DELAY",
            "0s");
    try (ExampleServer server = ExampleServer.start(name, folder, environment)) {
      assertOffers(server.port());
      for (String probe : PROBES) {
        assertEquals(200, get(probePort, probe).statusCode(), probe);
      }
      if (SERVLET_SERVERS.contains(name)) {
        assertUploadIsCounted(server.port());
      }
      if (HTTP_2_SERVERS.contains(name)) {
        assertHeadHasTheLengthAndNoBody(server.port());
      }
      Iterator<String> events =
          client.send(request(server.port(), "/sse"), BodyHandlers.ofLines()).body().iterator();
      assertTrue(events.next().startsWith("data:"));
      server.terminate();
      // To the stream's end in due form: a cut one would throw here.
      events.forEachRemaining(line -> assertTrue(line.isEmpty() || line.startsWith("data:"), line));
      assertEquals(0, server.exitCode(GRACE), server::log);
    }
  }

  @Tag("all")
  @ParameterizedTest
  @MethodSource("servers")
  void server_naive_offersTheSame(String name) throws Exception {
    try (ExampleServer server = ExampleServer.start(name, folder, Map.of("NAIVE", "true"))) {
      assertOffers(server.port());
      server.terminate();
      assertEquals(143, server.exitCode(GRACE), server::log);
    }
  }

  /** Not Spring Boot's, which does that by itself. */
  @Tag("all")
  @ParameterizedTest
  @MethodSource("serversWithoutSpringBoot")
  void server_itsPortIsTaken_endsWithAFailure(String name) throws Exception {
    try (ServerSocket taken = new ServerSocket(0);
        ExampleServer server =
            ExampleServer.launch(
                name, folder, Map.of("PORT", Integer.toString(taken.getLocalPort())))) {
      assertEquals(1, server.exitCode(START), server::log);
    }
  }

  private void assertOffers(int port) throws Exception {
    assertEquals(200, get(port, "/fast").statusCode());
    assertEquals(1_000, get(port, "/work?ms=1").body().length());
    assertEquals(1_000, get(port, "/work?ms=-100").body().length());
    assertEquals(1_000, get(port, "/work?ms=1&async=true").body().length());
    assertEquals(200, get(port, "/stream?ms=200").body().length());
    HttpResponse<String> nothing = get(port, "/stream?ms=-100");
    assertEquals(200, nothing.statusCode());
    assertEquals("", nothing.body());
    for (String malformed : List.of("/work?ms=soon", "/work?ms=soon&async=true")) {
      assertEquals(400, get(port, malformed).statusCode(), malformed);
    }
    HttpRequest upload =
        HttpRequest.newBuilder(uri(port, "/upload")).POST(BodyPublishers.ofString("hello")).build();
    assertEquals("5", client.send(upload, BodyHandlers.ofString()).body().strip());
    for (String probe : PROBES) {
      assertEquals(200, get(port, probe).statusCode(), probe);
    }
  }

  /** Over HTTP/1.1, and over HTTP/2 with prior knowledge, which the JDK's client does not have. */
  private static void assertHeadHasTheLengthAndNoBody(int port) throws IOException {
    for (Protocol protocol : List.of(Protocol.HTTP_1_1, Protocol.H2_PRIOR_KNOWLEDGE)) {
      OkHttpClient okHttp = new OkHttpClient.Builder().protocols(List.of(protocol)).build();
      Request head = new Request.Builder().head().url(uri(port, "/work").toString()).build();
      try (Response response = okHttp.newCall(head).execute()) {
        assertEquals(protocol, response.protocol());
        assertEquals("1000", response.header("content-length"));
        assertEquals("", response.body().string());
      } finally {
        okHttp.connectionPool().evictAll();
      }
    }
  }

  /** More than Undertow takes by default, and of a type that Spring reads itself by default. */
  private void assertUploadIsCounted(int port) throws IOException, InterruptedException {
    HttpRequest upload =
        HttpRequest.newBuilder(uri(port, "/upload"))
            .header("Content-Type", "multipart/form-data; boundary=b")
            .POST(BodyPublishers.ofByteArray(new byte[3_000_000]))
            .build();
    assertEquals("3000000", client.send(upload, BodyHandlers.ofString()).body().strip());
  }

  private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    return client.send(request(port, path), BodyHandlers.ofString());
  }

  private static HttpRequest request(int port, String path) {
    // Shorter than the test's own, which would not say what it has waited for.
    return HttpRequest.newBuilder(uri(port, path)).timeout(Duration.ofSeconds(60)).build();
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
