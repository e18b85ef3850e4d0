package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.HttpConnection;
import io.lastcall.testing.RawHttp2;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of one connection, frame by frame (RFC 9113). */
@Timeout(120)
class GoAwayTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final TestServer server;
  private long connected;
  private Socket socket = new Socket();

  GoAwayTest() throws IOException {
    server = new TestServer(shutdown, NettyServerBuilder.forPort(0));
  }

  @BeforeEach
  void connect() throws IOException {
    connected = System.nanoTime();
    socket = server.connect();
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    server.close();
    shutdown.uninstall();
  }

  @Test
  void connectionsEnded_idleConnection_hasTwoGoAwaysThenAFinAndNoReset() throws IOException {
    RawHttp2 client = new RawHttp2(socket);

    CompletableFuture<?> ended = server.role().connectionsEnded().toCompletableFuture();

    assertEquals("GOAWAY " + Integer.MAX_VALUE, client.next());
    assertFalse(ended.isDone()); // a call may be on the wire
    assertEquals("PING", client.next());
    client.ack();
    assertEquals("GOAWAY 0", client.next());
    assertTrue(ended.isDone());
    assertTrue(client.ended());
    // A server that has closed would answer the first of these with a reset, and fail the others.
    for (int i = 0; i < 10; i++) {
      client.ping();
    }
  }

  @Test
  void announce_connectionIsNew_hasTimeForItsFirstCall() throws IOException {
    RawHttp2 client = new RawHttp2(socket);

    server.role().connections().forEach(HttpConnection::announceClose);

    client.await(RawHttp2.GOAWAY);
    assertTrue(System.nanoTime() - connected >= Duration.ofMillis(500).toNanos());
  }

  @Test
  void connectionsEnded_clientHasNotSentAByte_isAnsweredByAFinAndNotWaitedFor() throws IOException {
    server.role().connections().forEach(HttpConnection::announceClose);

    CompletableFuture<?> ended = server.role().connectionsEnded().toCompletableFuture();

    List<Integer> frames = frameTypes(socket);
    assertTrue(ended.isDone());
    // The final one comes with the PING's answer, or ten seconds later.
    assertTrue(Collections.frequency(frames, RawHttp2.GOAWAY) <= 1, frames::toString);
  }

  /** Says nothing, and reads to the end. */
  private static List<Integer> frameTypes(Socket silent) throws IOException {
    List<Integer> types = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(silent.getInputStream().readAllBytes());
    while (bytes.hasRemaining()) {
      int lengthAndType = bytes.getInt();
      types.add(lengthAndType & 0xFF);
      bytes.position(bytes.position() + 5 + (lengthAndType >>> Byte.SIZE));
    }
    return types;
  }
}
