package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.WebSocketClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** WebSockets of applications that know nothing of the agent, with real SIGTERMs. */
@Timeout(300)
class WebSocketAgentTest {
  private static final Map<String, String> SHORT =
      Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "1s");

  /** In no close frame: the connection ended without one (RFC 6455, section 7.4.1). */
  private static final int NO_FRAME = 1006;

  @ParameterizedTest
  @CsvSource({
    "TomcatWebSocketApplication, false",
    "TomcatWebSocketApplication, true",
    "JettyWebSocketApplication, false",
    "JettyWebSocketApplication, true",
    "UndertowWebSocketApplication, true",
    "NettyProtocolsApplication, false"
  })
  void sigterm_openSocket_echoesThroughTheDrain_thenGets1001(String application, boolean coarse)
      throws Exception {
    List<String> options = List.of(AgentJvm.agent(), "-Dcoarse=" + coarse);
    try (AgentJvm jvm = AgentJvm.start(named(application), options, SHORT)) {
      WebSocketClient client = new WebSocketClient(jvm.port());
      assertEquals("hello", client.exchange("hello"));

      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      assertEquals("still here", client.exchange("still here"));

      assertEquals(1001, client.closed.join(), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
      assertTrue(jvm.hasLogged("ended 1 WebSocket"), jvm::log);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TomcatWebSocketApplication",
        "JettyWebSocketApplication",
        "UndertowWebSocketApplication",
        "NettyProtocolsApplication"
      })
  void sigterm_withoutTheAgent_socketIsCut(String application) throws Exception {
    try (AgentJvm jvm = AgentJvm.start(named(application), List.of(), SHORT)) {
      WebSocketClient client = new WebSocketClient(jvm.port());
      assertEquals("hello", client.exchange("hello"));

      jvm.terminate();

      int code = client.closed.exceptionally(reset -> NO_FRAME).join();
      assertEquals(NO_FRAME, code, jvm::log);
    }
  }

  private static Class<?> named(String application) throws ClassNotFoundException {
    return Class.forName(WebSocketAgentTest.class.getPackageName() + '.' + application);
  }
}
