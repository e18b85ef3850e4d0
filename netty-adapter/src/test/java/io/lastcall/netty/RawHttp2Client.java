package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** HTTP/2 by hand, frame by frame, with prior knowledge. */
final class RawHttp2Client implements AutoCloseable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;

  private final Socket socket;
  private final DataInputStream in;
  private byte[] ping = {};

  RawHttp2Client(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    send(SETTINGS, 0, 0, new byte[0]);
  }

  void get(int stream, String path) throws IOException {
    send(HEADERS, END_STREAM | END_HEADERS, stream, headers(0x82, path));
  }

  /** A POST whose body is still to come. */
  void post(int stream, String path) throws IOException {
    send(HEADERS, END_HEADERS, stream, headers(0x83, path));
  }

  void data(int stream, String body, boolean end) throws IOException {
    send(DATA, end ? END_STREAM : 0, stream, body.getBytes(US_ASCII));
  }

  void reset(int stream) throws IOException {
    send(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
  }

  /** Answers the last PING that was read. */
  void ack() throws IOException {
    send(PING, ACK, 0, ping);
  }

  /** HPACK (RFC 7541): method and scheme from the static table, path and authority as literals. */
  private static byte[] headers(int method, String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(method);
    block.write(0x86);
    block.write(0x04);
    block.write(path.length());
    block.writeBytes(path.getBytes(US_ASCII));
    block.writeBytes(new byte[] {0x01, 1, 'a'});
    return block.toByteArray();
  }

  private void send(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    OutputStream out = socket.getOutputStream();
    out.write(frame.array());
    out.flush();
  }

  /**
   * Reads the next frame that is no SETTINGS or WINDOW_UPDATE, as {@code GOAWAY 5}, {@code HEADERS
   * 1}, {@code DATA 1 end}; {@code EOF} at the end of the stream.
   */
  String next() throws IOException {
    while (true) {
      int length;
      try {
        length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      } catch (EOFException e) {
        return "EOF";
      }
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      byte[] payload = in.readNBytes(length);
      String end = (flags & END_STREAM) == 0 ? "" : " end";
      switch (type) {
        case SETTINGS, WINDOW_UPDATE -> {}
        case DATA -> {
          return "DATA " + stream + end;
        }
        case HEADERS -> {
          return "HEADERS " + stream + end;
        }
        case GOAWAY -> {
          return "GOAWAY " + ByteBuffer.wrap(payload).getInt();
        }
        case PING -> {
          ping = payload;
          return "PING";
        }
        default -> {
          return "type " + type + " on " + stream;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
