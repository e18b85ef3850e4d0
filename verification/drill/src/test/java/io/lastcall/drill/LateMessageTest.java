package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that talks all the time sends what the server's close frame crosses. */
@Timeout(300)
@Tag("all")
class LateMessageTest {
  private static final int CLOSE = 0x88;
  private static final int GOING_AWAY = 1001;

  /** Masked by zeros: a text, and behind it the answer to the close frame. */
  private static final byte[] LAST_WORDS = {
    (byte) 0x81,
    (byte) 0x82,
    0,
    0,
    0,
    0,
    'h',
    'i',
    (byte) CLOSE,
    (byte) 0x82,
    0,
    0,
    0,
    0,
    0x03,
    (byte) 0xE9
  };

  private final Path folder;

  LateMessageTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tomcat",
        "jetty",
        "undertow",
        "netty",
        "vertx",
        "spring-boot",
        "spring-boot-jetty",
        "spring-boot-webflux"
      })
  void webSocket_messageBehindTheCloseFrame_isNobodysFailure(String name) throws Exception {
    try (ExampleServer server = ExampleServer.start(name, folder, Map.of());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      client.getOutputStream().write(WebSocketClient.HANDSHAKE.getBytes(StandardCharsets.US_ASCII));
      DataInputStream in = new DataInputStream(client.getInputStream());
      awaitHandshake(in);
      server.terminate();
      assertEquals(CLOSE, in.readUnsignedByte());
      in.readUnsignedByte(); // the length of code and reason
      assertEquals(GOING_AWAY, in.readUnsignedShort());
      client.getOutputStream().write(LAST_WORDS);
      in.readAllBytes(); // throws if reset
      assertEquals(0, server.exitCode(Duration.ofSeconds(60)), server::log);
      assertFalse(server.log().contains("Exception"), server::log);
    }
  }

  private static void awaitHandshake(DataInputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
    }
    assertTrue(head.toString().startsWith("HTTP/1.1 101 "), head::toString);
  }
}
