package io.lastcall.examples.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of one connection, frame by frame (RFC 9113). */
@Timeout(120)
class GoAwayTest {
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;

  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final GrpcDrain drain = new GrpcDrain("grpc", shutdown);
  private final long began = System.nanoTime();
  private Socket socket = new Socket();

  @BeforeEach
  void connect() throws IOException {
    int port = drain.start(NettyServerBuilder.forPort(0)).getPort();
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    OutputStream out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    send(SETTINGS, 0, new byte[0]);
    Awaitility.await().until(() -> drain.connections().size() == 1);
  }

  @AfterEach
  void stop() throws Exception {
    socket.close();
    drain.stop(Deadline.after(Duration.ofSeconds(30), Ticker.system()));
    shutdown.uninstall();
  }

  @Test
  void announce_idleConnection_hasTwoGoAwaysThenAFinAndNoReset() throws IOException {
    drain.connections().forEach(HttpConnection::announce);

    assertEquals(Integer.MAX_VALUE, await(GOAWAY).getInt());
    byte[] ping = await(PING).array();
    assertEquals(1, drain.connections().size()); // a call may be on the wire
    send(PING, ACK, ping);
    assertEquals(0, await(GOAWAY).getInt());
    assertTrue(drain.connections().isEmpty());
    assertEquals(-1, socket.getInputStream().read());
    // A server that has closed would answer the first of these with a reset, and fail the others.
    for (int i = 0; i < 10; i++) {
      send(PING, 0, new byte[8]);
    }
  }

  @Test
  void announce_connectionIsNew_hasTimeForItsFirstCall() throws IOException {
    drain.connections().forEach(HttpConnection::announce);

    await(GOAWAY);
    assertTrue(System.nanoTime() - began >= Duration.ofMillis(500).toNanos());
  }

  private void send(int type, int flags, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(0).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /** Reads up to the next frame of this type; returns its payload. */
  private ByteBuffer await(int type) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      int lengthAndType = in.readInt();
      in.skipNBytes(5);
      byte[] payload = in.readNBytes(lengthAndType >>> 8);
      if ((lengthAndType & 0xFF) == type) {
        return ByteBuffer.wrap(payload);
      }
    }
  }
}
