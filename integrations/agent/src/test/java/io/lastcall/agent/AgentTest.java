package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.TestKeys;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that know nothing of the agent, with real SIGTERMs. */
@Timeout(300)
class AgentTest {
  private static final Map<String, String> SHORT =
      Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "1s");

  private static final int SIGTERMED = 143;
  private static final int INCOMPLETE = 80;

  @ParameterizedTest
  @ValueSource(
      classes = {
        TomcatApplication.class,
        NettyApplication.class,
        UndertowApplication.class,
        ArmeriaApplication.class,
        JdkApplication.class,
        JdkLaterApplication.class,
        JettyMixedApplication.class
      })
  void sigterm_requestInFlight_isAnsweredByTheHelpOfOneThatComesLater(Class<?> application)
      throws Exception {
    try (AgentJvm jvm = AgentJvm.start(application, List.of(AgentJvm.agent()), SHORT)) {
      CompletableFuture<HttpResponse<String>> inFlight = jvm.get("/wait");
      jvm.awaitLine("waits");

      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      assertEquals("answered /go", jvm.get("/go").join().body());

      assertEquals("answered /wait", inFlight.join().body(), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        TomcatApplication.class,
        NettyApplication.class,
        JdkApplication.class,
        JdkLaterApplication.class,
        JettyMixedApplication.class
      })
  void sigterm_withoutTheAgent_requestInFlightIsLost(Class<?> application) throws Exception {
    try (AgentJvm jvm = AgentJvm.start(application, List.of(), SHORT)) {
      CompletableFuture<HttpResponse<String>> inFlight = jvm.get("/wait");
      jvm.awaitLine("waits");

      jvm.terminate();

      assertThrows(CompletionException.class, inFlight::join);
      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
    }
  }

  /** None of them holds the drain any more, however its application has ended it. */
  @Test
  void sigterm_responsesOfTheJdksServerThatHaveEnded_areNotAwaited() throws Exception {
    try (AgentJvm jvm =
        AgentJvm.start(JdkEndsApplication.class, List.of(AgentJvm.agent()), SHORT)) {
      for (String path : List.of("/", "/chunked", "/wrapped")) {
        assertEquals("TLS false", jvm.get(path).join().body(), path);
      }
      assertEquals(204, jvm.get("/none").join().statusCode());
      assertThrows(CompletionException.class, jvm.get("/unanswered")::join);
      assertThrows(CompletionException.class, jvm.get("/throws")::join);
      // The last one: its connection takes no further request.
      assertEquals("TLS false", jvm.get("/flushed").join().body());

      jvm.terminate();

      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
      assertFalse(jvm.hasLogged("DRAIN waits"), jvm::log);
    }
  }

  @Test
  void jdksServerOverTls_showsItsApplicationThat(@TempDir Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    List<String> options = List.of(AgentJvm.agent(), "-Dkeys=" + keys);
    try (AgentJvm jvm = AgentJvm.start(JdkEndsApplication.class, options, SHORT)) {
      SocketFactory tls = TestKeys.trust(keys).getSocketFactory();
      for (String path : List.of("/", "/chunked", "/wrapped")) {
        assertEquals("TLS true", jvm.body(path, tls), path);
      }
      jvm.terminate();

      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  /** Its own stop in a hook of the JVM may take as long as the request does: no exit is awaited. */
  @Test
  void sigterm_undertowWithoutTheAgent_requestInFlightIsLost() throws Exception {
    try (AgentJvm jvm = AgentJvm.start(UndertowApplication.class, List.of(), SHORT)) {
      CompletableFuture<HttpResponse<String>> inFlight = jvm.get("/wait");
      jvm.awaitLine("waits");

      jvm.terminate();

      assertThrows(CompletionException.class, inFlight::join);
    }
  }

  @Test
  void wrongSetting_isOneError_andTheApplicationServesAsWithoutTheAgent() throws Exception {
    Map<String, String> wrong = Map.of("LASTCALL_GRACE_PERIOD", "soon");
    try (AgentJvm jvm = AgentJvm.start(TomcatApplication.class, List.of(AgentJvm.agent()), wrong)) {
      assertEquals("answered /", jvm.get("/").join().body());
      jvm.terminate();

      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
      List<String> said = jvm.lines("astcall");
      assertEquals(1, said.size(), jvm::log);
      assertTrue(said.get(0).contains("ERROR"), jvm::log);
      assertTrue(said.get(0).contains("LASTCALL_GRACE_PERIOD"), jvm::log);
      assertTrue(said.get(0).contains("soon"), jvm::log);
      assertTrue(said.get(0).contains("allowed"), jvm::log);
    }
  }

  @Test
  void namedTwice_isOneLine_andDrainsOnce() throws Exception {
    List<String> twice = List.of(AgentJvm.agent(), AgentJvm.agent());
    try (AgentJvm jvm = AgentJvm.start(TomcatApplication.class, twice, SHORT)) {
      assertEquals("answered /", jvm.get("/").join().body());
      jvm.terminate();

      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("twice").size(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @Test
  void applicationThatInstallsLastcall_isLeftToItself() throws Exception {
    try (AgentJvm jvm =
        AgentJvm.start(
            AgentJvm.classPathWithLastcall(),
            InstallingApplication.class.getName(),
            List.of(AgentJvm.agent()),
            SHORT)) {
      assertEquals("answered /", jvm.get("/").join().body());
      jvm.terminate();

      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log); // it has added no server
      assertTrue(jvm.hasLogged("the application's own shutdown"), jvm::log);
      assertEquals(1, jvm.lines("steps aside").size(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @Test
  void nettyThatSpeaksNoHttp_isLetGoOf_andEndsAsWithoutTheAgent() throws Exception {
    List<String> options = List.of(AgentJvm.agent());
    try (AgentJvm jvm = AgentJvm.start(NettyEchoApplication.class, options, SHORT)) {
      assertEquals("hello", jvm.echo("hello"));
      jvm.awaitLine("speaks no HTTP");
      jvm.terminate();

      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
      assertFalse(jvm.hasLogged("Shutdown begun"), jvm::log);
    }
  }

  @Test
  void nettyThatSpeaksNoHttp_behindTls_isLetGoOf_andEndsAsWithoutTheAgent(@TempDir Path folder)
      throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    List<String> options = List.of(AgentJvm.agent(), "-Dkeys=" + keys);
    try (AgentJvm jvm = AgentJvm.start(NettyEchoApplication.class, options, SHORT)) {
      SocketFactory tls = TestKeys.trust(keys).getSocketFactory();
      assertEquals("hello", jvm.echo("hello", tls));
      jvm.awaitLine("speaks no HTTP");
      jvm.terminate();

      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
      assertFalse(jvm.hasLogged("Shutdown begun"), jvm::log);
    }
  }

  @Test
  void nettyThatSpeaksNoHttp_knownOnlyAfterTheSignal_endsIncomplete() throws Exception {
    Map<String, String> slow =
        Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "5s");
    List<String> options = List.of(AgentJvm.agent());
    try (AgentJvm jvm = AgentJvm.start(NettyEchoApplication.class, options, slow)) {
      jvm.awaitLine("Shutdown plan");
      jvm.connect();
      jvm.awaitAccepting();
      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      assertEquals("hello", jvm.echo("hello"));

      assertEquals(INCOMPLETE, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("None of its connections is waited for").size(), jvm::log);
      assertTrue(jvm.hasLogged("none of them was drained"), jvm::log);
    }
  }

  /** Nothing counts its requests. */
  @Test
  void jettyWithHandlersAlone_isLetGoOf_andEndsAsWithoutTheAgent() throws Exception {
    List<String> options = List.of(AgentJvm.agent());
    try (AgentJvm jvm = AgentJvm.start(JettyHandlersApplication.class, options, SHORT)) {
      assertEquals("answered /", jvm.get("/").join().body());
      jvm.awaitLine("has no application of servlets");
      jvm.terminate();

      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
      assertFalse(jvm.hasLogged("SIGTERM"), jvm::log);
    }
  }

  @Test
  void processWithoutServer_hasNotOneLineOfTheAgents() throws Exception {
    try (AgentJvm jvm = AgentJvm.start(Batch.class, List.of(AgentJvm.agent()), SHORT)) {
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals("done", jvm.log());
      assertFalse(jvm.hasLogged("astcall"), jvm::log);
    }
  }
}
