package io.lastcall.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of HTTP/2 that sends what it likes (RFC 9113). It acknowledges only SETTINGS. */
final class Http2 implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  private final Socket socket;
  private final OutputStream out;
  private final AtomicInteger ended = new AtomicInteger();
  private final CountDownLatch goneAway = new CountDownLatch(1);

  private Http2(Socket socket) throws IOException {
    this.socket = socket;
    this.out = socket.getOutputStream();
  }

  /** Opens a connection, whose frames a thread reads. */
  static Http2 open(int port) throws IOException {
    Http2 http2 = new Http2(Http.socket(port));
    http2.out.write(PREFACE);
    http2.frame(SETTINGS, 0, 0);
    Thread reader = new Thread(http2::read, "http2");
    reader.setDaemon(true);
    reader.start();
    return http2;
  }

  /** Opens one that sends its preface and reads nothing, ever. */
  static Http2 openDeaf(int port) throws IOException {
    Http2 http2 = new Http2(Http.socket(port));
    http2.out.write(PREFACE);
    http2.frame(SETTINGS, 0, 0);
    return http2;
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        in.readInt();
        in.skipNBytes(length);
        if (type == SETTINGS && (flags & ACK) == 0) {
          frame(SETTINGS, ACK, 0);
        } else if (type == GOAWAY) {
          goneAway.countDown();
        } else if ((type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
          ended.incrementAndGet();
        }
      }
    } catch (IOException e) {
      goneAway.countDown();
    }
  }

  /** How many responses have come to their end. */
  int ended() {
    return ended.get();
  }

  void awaitGoAway() throws InterruptedException {
    goneAway.await();
  }

  void request(int stream, String path) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x86); // :scheme http
    literal(block, 4, path); // :path
    literal(block, 1, "localhost"); // :authority
    frame(HEADERS, END_STREAM | END_HEADERS, stream, block.toByteArray());
  }

  /** Without indexing, the name from the static table (RFC 7541, section 6.2.2). */
  private static void literal(ByteArrayOutputStream block, int name, String value) {
    block.write(name);
    block.write(value.length());
    block.writeBytes(value.getBytes(US_ASCII));
  }

  void reset(int stream) throws IOException {
    frame(RST_STREAM, 0, stream, (byte) 0, (byte) 0, (byte) 0, (byte) 8);
  }

  void ping() throws IOException {
    frame(PING, 0, 0, new byte[8]);
  }

  void settings() throws IOException {
    frame(SETTINGS, 0, 0);
  }

  private synchronized void frame(int type, int flags, int stream, byte... payload)
      throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) {
      frame.write(stream >> shift);
    }
    frame.writeBytes(payload);
    out.write(frame.toByteArray());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
