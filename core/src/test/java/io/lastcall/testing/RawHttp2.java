package io.lastcall.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSocket;

/** One HTTP/2 connection, frame by frame (RFC 9113, section 4.1). */
public class RawHttp2 implements AutoCloseable {
  public static final int DATA = 0;
  public static final int HEADERS = 1;
  public static final int SETTINGS = 4;
  public static final int PING = 6;
  public static final int GOAWAY = 7;
  public static final int WINDOW_UPDATE = 8;

  protected static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  protected static final int ACK = 1;
  protected static final int END_STREAM = 1;
  protected static final int END_HEADERS = 4;
  private static final int RST_STREAM = 3;

  protected final DataInputStream in;
  private final Socket socket;
  private byte[] ping = {};

  public record Frame(int type, int flags, int stream, ByteBuffer payload) {
    /** The last stream a GOAWAY names. */
    public int lastStream() {
      return payload.getInt(0);
    }

    /** What a GOAWAY gives as its reason. */
    public int errorCode() {
      return payload.getInt(4);
    }

    public boolean isAck() {
      return (flags & ACK) != 0;
    }

    public boolean endsStream() {
      return (flags & END_STREAM) != 0;
    }

    /** As {@code GOAWAY 5}, {@code HEADERS 1}, {@code DATA 1 end}. */
    @Override
    public String toString() {
      String end = endsStream() ? " end" : "";
      return switch (type) {
        case DATA -> "DATA " + stream + end;
        case HEADERS -> "HEADERS " + stream + end;
        case PING -> "PING";
        case GOAWAY -> "GOAWAY " + lastStream();
        default -> "type " + type + " on " + stream;
      };
    }
  }

  /** Connects with prior knowledge. */
  public RawHttp2(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Sends the preface and empty settings, on a connection there is, with TLS say. */
  public RawHttp2(Socket connected) throws IOException {
    this(connected, PREFACE);
  }

  /** As above, with another opening in front of the settings, a write for each part. */
  protected RawHttp2(Socket connected, String... opening) throws IOException {
    socket = connected;
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    for (String part : opening) {
      socket.getOutputStream().write(part.getBytes(US_ASCII));
    }
    write(SETTINGS, 0, 0);
  }

  public RawHttp2 get(int stream, String path) throws IOException {
    write(HEADERS, END_STREAM | END_HEADERS, stream, fields(0x82, path));
    return this;
  }

  /** A POST whose body is still to come. */
  public void post(int stream, String path) throws IOException {
    write(HEADERS, END_HEADERS, stream, fields(0x83, path));
  }

  /** HPACK (RFC 7541): method and scheme from the static table, path and authority as literals. */
  private byte[] fields(int method, String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(method);
    block.write(socket instanceof SSLSocket ? 0x87 : 0x86); // https or http
    block.write(0x04);
    block.write(path.length());
    block.writeBytes(path.getBytes(US_ASCII));
    block.writeBytes(new byte[] {0x01, 1, 'a'});
    return block.toByteArray();
  }

  public void data(int stream, String body, boolean end) throws IOException {
    write(DATA, end ? END_STREAM : 0, stream, body.getBytes(US_ASCII));
  }

  public void reset(int stream) throws IOException {
    write(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
  }

  public void ping() throws IOException {
    write(PING, 0, 0, new byte[8]);
  }

  /** Answers the last PING that was read. */
  public void ack() throws IOException {
    write(PING, ACK, 0, ping);
  }

  /** Answers this one: Tomcat sends some of its own. */
  public void ack(Frame ping) throws IOException {
    write(PING, ACK, 0, ping.payload().array());
  }

  protected final void write(int type, int flags, int stream, byte... payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << Byte.SIZE | type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /** Returns the next frame that is no SETTINGS or WINDOW_UPDATE, in words; {@code EOF}: a FIN. */
  public String next() throws IOException {
    try {
      Frame frame = read();
      while (frame.type() == SETTINGS || frame.type() == WINDOW_UPDATE) {
        frame = read();
      }
      return frame.toString();
    } catch (EOFException e) {
      return "EOF";
    }
  }

  /** Asserts what {@link #next} says, so many times. */
  public void assertNext(String... frames) throws IOException {
    for (String frame : frames) {
      assertEquals(frame, next());
    }
  }

  /** Returns the next frame of {@code type}; drops those before it. */
  public Frame await(int type) throws IOException {
    Frame frame = read();
    while (frame.type() != type) {
      frame = read();
    }
    return frame;
  }

  protected Frame read() throws IOException {
    int lengthAndType = in.readInt();
    int type = lengthAndType & 0xFF;
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[lengthAndType >>> Byte.SIZE];
    in.readFully(payload);
    if (type == PING) {
      ping = payload;
    }
    Frame frame = new Frame(type, flags, stream, ByteBuffer.wrap(payload));
    if (type == SETTINGS && !frame.isAck()) {
      write(SETTINGS, ACK, 0);
    }
    return frame;
  }

  /** Returns whether the server's FIN, or close_notify, came, with nothing before it. */
  public boolean ended() throws IOException {
    return in.read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
