package io.lastcall.servlet.undertow;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One HTTP/2 connection with prior knowledge, seen frame by frame (RFC 9113). */
final class RawHttp2Client implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int ACK = 1;
  static final int END_STREAM = 1;
  static final int END_STREAM_AND_HEADERS = 5;

  private final Socket socket;
  private final DataInputStream in;

  /** A frame as it came. */
  record Frame(int type, int flags, int stream, ByteBuffer payload) {
    int number(int offset) {
      return payload.getInt(offset);
    }
  }

  RawHttp2Client(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout((int) UndertowFixture.LIMIT.toMillis());
    in = new DataInputStream(socket.getInputStream());
  }

  /** The preface in two parts, as a network may deliver it. */
  RawHttp2Client begin() throws IOException {
    write("PRI * HT".getBytes(StandardCharsets.US_ASCII));
    write("TP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return send(SETTINGS, 0, 0, new byte[0]);
  }

  RawHttp2Client send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    write(frame.array());
    return this;
  }

  /** A request without a body; the numbers are HPACK's static table (RFC 7541, appendix A). */
  RawHttp2Client get(int stream, String path) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(0x82);
    head.write(0x86);
    literal(head, 4, path);
    literal(head, 1, "test");
    return send(HEADERS, END_STREAM_AND_HEADERS, stream, head.toByteArray());
  }

  private static void literal(ByteArrayOutputStream head, int name, String value) {
    head.write(name);
    head.write(value.length());
    head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** Returns the next frame; null if the server's FIN came instead. */
  @Nullable Frame read() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    byte[] payload = new byte[first << 16 | in.readUnsignedShort()];
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    in.readFully(payload);
    return new Frame(type, flags, stream, ByteBuffer.wrap(payload));
  }

  /** Returns the next frame of a type, answering no others. */
  Frame await(int type) throws IOException {
    for (Frame frame = read(); frame != null; frame = read()) {
      if (frame.type() == type) {
        return frame;
      }
    }
    throw new EOFException("The server's FIN came before a frame of type " + type);
  }

  /** Reads to the end of a stream's response and returns its body. */
  String body(int stream) throws IOException {
    StringBuilder body = new StringBuilder();
    Frame frame = await(DATA);
    while (true) {
      if (frame.stream() == stream) {
        body.append(StandardCharsets.US_ASCII.decode(frame.payload()));
        if ((frame.flags() & END_STREAM) != 0) {
          return body.toString();
        }
      }
      frame = await(DATA);
    }
  }

  /** Returns whether the server's FIN comes, after whatever frames. */
  boolean ends() throws IOException {
    while (read() != null) {
      // Settings and their like.
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
