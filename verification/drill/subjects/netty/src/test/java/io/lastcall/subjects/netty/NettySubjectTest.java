package io.lastcall.subjects.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ForkedExample;
import io.lastcall.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are broken: each gets an answer, and none holds the shutdown. */
@Tag("all")
@Timeout(120)
class NettySubjectTest {
  @ParameterizedTest
  @ValueSource(strings = {"/work?ms=soon", "/stream?ms=1&a=%zz", "/%zz"})
  void request_malformedQueryOrPath_isRefusedAndTheConnectionGoesOn(String path) throws Exception {
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      assertEquals(400, client.exchange(path).status());
      assertEquals("fast\n", client.exchange("/fast").body());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  private @TempDir Path folder = Path.of("unset");

  @Test
  void request_inAbsoluteForm_isAnswered() throws Exception {
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      assertEquals("fast\n", client.exchange("http://a/fast").body());
      assertEquals(404, client.exchange("http://a").status());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  void requests_pipelined_areAnsweredInTheirOrder() throws Exception {
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      client.get("/work?ms=300").get("/fast").get("/stream?ms=200").get("/nowhere");
      assertEquals(1_000, client.read().body().length());
      assertEquals("fast\n", client.read().body());
      client.readHead();
      assertEquals(200, client.readChunk().length() + client.readChunk().length());
      assertEquals("", client.readChunk());
      assertEquals(404, client.read().status());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  void head_longerThanTheCodecTakes_isRefused() throws Exception {
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      String tooLong = "X-Long: " + "x".repeat(9_000);
      client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n" + tooLong);
      assertRefused(client.read());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  void chunk_broken_isRefusedAndTheConnectionEnds() throws Exception {
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      client.send("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("5\r\nhello\r\nno length\r\n");
      assertRefused(client.read());
      assertTrue(client.ended());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  void server_onAFreePort_isNamedByIt() throws Exception {
    Path report = folder.resolve("report.json");
    Map<String, String> settings = Map.of("LASTCALL_REPORT_FILE", report.toString());
    try (ForkedExample example = new ForkedExample(NettySubject.class, "0s", settings)) {
      example.sigterm();
      example.assertEndsClean();
      String json = Files.readString(report);
      assertTrue(json.contains("stop netty:" + example.port()), json);
    }
  }

  private static void assertRefused(RawClient.Reply reply) {
    assertEquals(400, reply.status());
    assertTrue(reply.saysClose());
  }
}
