package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawHttp2;
import io.lastcall.testing.TestKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server on Netty that knows nothing of the agent, in each protocol, with real SIGTERMs. */
@Timeout(300)
class NettyProtocolsTest {
  private static final Map<String, String> SHORT =
      Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "1s");

  private static final int SIGTERMED = 143;
  private static final int INCOMPLETE = 80;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, false", "HTTP_1_1, true", "HTTP_2, true"})
  void sigterm_requestInFlight_isAnsweredByTheHelpOfOneThatComesLater(Version version, boolean tls)
      throws Exception {
    try (AgentJvm jvm = start(tls, AgentJvm.agent())) {
      HttpClient client = client(version, tls);
      assertEquals(version, get(client, jvm, tls, "/").join().version());
      CompletableFuture<HttpResponse<String>> inFlight = get(client, jvm, tls, "/wait");
      jvm.awaitLine("waits");

      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      assertEquals("answered /go", get(client, jvm, tls, "/go").join().body(), jvm::log);

      assertEquals("answered /wait", inFlight.join().body(), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @Test
  void sigterm_withoutTheAgent_streamInFlightIsLost() throws Exception {
    try (AgentJvm jvm = start(true, "-Dwithout=it")) {
      HttpClient client = client(Version.HTTP_2, true);
      CompletableFuture<HttpResponse<String>> inFlight = get(client, jvm, true, "/wait");
      jvm.awaitLine("waits");

      jvm.terminate();

      assertThrows(CompletionException.class, inFlight::join);
      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
    }
  }

  @Test
  void sigterm_streamWithPriorKnowledge_isAnswered_andTheConnectionLeavesByGoAway()
      throws Exception {
    try (AgentJvm jvm = start(false, AgentJvm.agent());
        RawHttp2 client = new RawHttp2(jvm.port())) {
      client.get(1, "/wait");
      jvm.awaitLine("waits");

      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      client.get(3, "/go");

      client.await(RawHttp2.GOAWAY);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  /** RFC 9113 has given the upgrade up. */
  @Test
  void upgradeToH2c_isIgnored() throws Exception {
    try (AgentJvm jvm = start(false, AgentJvm.agent())) {
      HttpClient client = client(Version.HTTP_2, false);
      assertEquals(Version.HTTP_1_1, get(client, jvm, false, "/").join().version());
    }
  }

  /** Nothing counts its streams: it is served through the delay, and then it is cut. */
  @ParameterizedTest
  @CsvSource({"false, 30000", "true, 30000", "true, 0"})
  void sigterm_http2InOneHandler_endsIncomplete(boolean http1First, int patience) throws Exception {
    List<String> options =
        List.of(AgentJvm.agent(), "-Done.handler=true", "-Dpatience=" + patience);
    try (AgentJvm jvm = AgentJvm.start(NettyProtocolsApplication.class, options, SHORT)) {
      if (http1First) {
        assertEquals("answered /", jvm.get("/").join().body());
      }
      try (RawHttp2 client = new RawHttp2(jvm.port())) {
        client.get(1, "/wait");
        jvm.awaitLine("waits");
        jvm.terminate();

        assertEquals(INCOMPLETE, jvm.exitCode(), jvm::log);
        assertTrue(jvm.hasLogged("netty:" + jvm.port() + ": requests that"), jvm::log);
        assertTrue(jvm.hasLogged("connections: 1;"), jvm::log);
      }
    }
  }

  @Test
  void sigterm_http2InOneHandler_noStreamIsOpen_isClean() throws Exception {
    List<String> options = List.of(AgentJvm.agent(), "-Done.handler=true");
    try (AgentJvm jvm = AgentJvm.start(NettyProtocolsApplication.class, options, SHORT)) {
      assertEquals("answered /", jvm.get("/").join().body());
      try (RawHttp2 client = new RawHttp2(jvm.port())) {
        client.get(1, "/");
        client.await(RawHttp2.DATA);
        client.ping();
        client.await(RawHttp2.PING);
        jvm.terminate();

        assertEquals(0, jvm.exitCode(), jvm::log);
        assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
      }
    }
  }

  @Test
  void sigterm_http2InOneHandler_clientHasGone_isClean() throws Exception {
    List<String> options = List.of(AgentJvm.agent(), "-Done.handler=true");
    try (AgentJvm jvm = AgentJvm.start(NettyProtocolsApplication.class, options, SHORT)) {
      try (RawHttp2 client = new RawHttp2(jvm.port())) {
        client.get(1, "/");
        client.await(RawHttp2.DATA);
      }
      jvm.terminate();

      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  private AgentJvm start(boolean tls, String agent) throws Exception {
    List<String> options = new ArrayList<>(List.of(agent));
    if (tls) {
      TestKeys.make(keys());
      options.add("-Dkeys=" + keys());
    }
    return AgentJvm.start(NettyProtocolsApplication.class, options, SHORT);
  }

  private Path keys() {
    return folder.resolve("keys.p12");
  }

  private HttpClient client(Version version, boolean tls) throws Exception {
    HttpClient.Builder builder = HttpClient.newBuilder().version(version);
    return tls ? builder.sslContext(TestKeys.trust(keys())).build() : builder.build();
  }

  private static CompletableFuture<HttpResponse<String>> get(
      HttpClient client, AgentJvm jvm, boolean tls, String path) {
    URI uri = URI.create((tls ? "https" : "http") + "://127.0.0.1:" + jvm.port() + path);
    return client.sendAsync(
        HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
