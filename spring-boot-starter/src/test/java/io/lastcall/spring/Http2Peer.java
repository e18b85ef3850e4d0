package io.lastcall.spring;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One HTTP/2 connection in clear text, frame by frame (RFC 9113, section 4.1). */
final class Http2Peer implements AutoCloseable {
  static final int DATA = 0;
  static final int PING = 6;
  static final int GOAWAY = 7;

  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;

  record Frame(int type, int flags, ByteBuffer payload) {
    boolean isAck() {
      return (flags & ACK) != 0;
    }
  }

  /** Connects with prior knowledge, and settles the settings. */
  Http2Peer(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
    in = new DataInputStream(socket.getInputStream());
    out = socket.getOutputStream();
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    write(SETTINGS, 0, 0, new byte[0]);
    Frame frame = next(SETTINGS);
    while (!frame.isAck()) {
      write(SETTINGS, ACK, 0, new byte[0]);
      frame = next(SETTINGS);
    }
  }

  /** A GET, its field lines without compression (RFC 7541, appendix A and section 6.2.2). */
  void get(int stream, String path) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x86); // :scheme http
    literal(block, 4, path);
    literal(block, 1, "test"); // :authority
    write(HEADERS, END_STREAM | END_HEADERS, stream, block.toByteArray());
  }

  private static void literal(ByteArrayOutputStream block, int name, String value) {
    block.write(name);
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  void acknowledge(Frame ping) throws IOException {
    write(PING, ACK, 0, ping.payload().array());
  }

  private void write(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putShort((short) (payload.length >> Byte.SIZE)).put((byte) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
  }

  /** Returns the next frame of {@code type}; drops those before it. */
  Frame next(int type) throws IOException {
    Frame frame = read();
    while (frame.type() != type) {
      frame = read();
    }
    return frame;
  }

  private Frame read() throws IOException {
    int length = (in.readUnsignedShort() << Byte.SIZE) | in.readUnsignedByte();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    in.readInt(); // the stream: there is one at a time
    byte[] payload = new byte[length];
    in.readFully(payload);
    return new Frame(type, flags, ByteBuffer.wrap(payload));
  }

  /** Reads to the server's FIN, which must not be a reset. */
  void awaitEnd() throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
