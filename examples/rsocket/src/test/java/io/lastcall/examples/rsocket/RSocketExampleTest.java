package io.lastcall.examples.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Program;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The quick start in a JVM of its own, a real SIGTERM, and real clients. */
@Timeout(120)
class RSocketExampleTest {
  private static final int CALLS = 40;

  private static RSocket connect(Program server) throws InterruptedException {
    server.await("listening", 1);
    int port = Integer.parseInt(server.lines("listening").get(0).subject());
    return Objects.requireNonNull(
        RSocketConnector.connectWith(TcpClientTransport.create("127.0.0.1", port))
            .block(Duration.ofSeconds(60)));
  }

  private static CompletableFuture<String> call(RSocket client, int number) {
    return client
        .requestResponse(DefaultPayload.create("call " + number))
        .map(Payload::getDataUtf8)
        .timeout(Duration.ofSeconds(60))
        .toFuture();
  }

  /** Returns how many calls fail: half of them in flight at SIGTERM, half of them later. */
  private static int failed(Class<?> main, int expectedExit) throws Exception {
    try (Program server =
        new Program(
            main, List.of("0"), "-Dlastcall.propagation-delay=4s", "-Dlastcall.grace-period=60s")) {
      RSocket client = connect(server);
      assertEquals("answer to call 0", call(client, 0).get(60, TimeUnit.SECONDS));
      List<CompletableFuture<String>> calls = new ArrayList<>();
      for (int i = 1; i <= CALLS / 2; i++) {
        calls.add(call(client, i));
      }
      server.sigterm();
      for (int i = CALLS / 2 + 1; i <= CALLS; i++) {
        calls.add(call(client, i));
      }
      int failed = 0;
      for (CompletableFuture<String> each : calls) {
        try {
          assertTrue(each.join().startsWith("answer to call"));
        } catch (CompletionException failure) {
          failed++;
        }
      }
      assertEquals(expectedExit, server.awaitExit());
      return failed;
    }
  }

  @Test
  void sigterm_callsInFlightAndLaterOnes_noneFails() throws Exception {
    assertEquals(0, failed(Quickstart.class, 0));
  }

  @Test
  void sigterm_withoutTheLibrary_callsFail() throws Exception {
    assertTrue(failed(WithoutTheLibrary.class, 143) > 0);
  }

  /** The starter has the same class: a fix of one is a fix of both. */
  @Test
  void classToCopy_isTheStarters() throws IOException {
    String starters =
        Files.readString(
            Path.of(
                "../../integrations/spring-boot/lastcall-spring-boot/src/main/java/io/lastcall/spring/RSocketDrain.java"));
    String copied =
        Files.readString(Path.of("src/main/java/io/lastcall/examples/rsocket/RSocketDrain.java"));
    assertEquals(
        starters.substring(starters.indexOf('\n')), copied.substring(copied.indexOf('\n')));
  }
}
