package io.lastcall.examples.grpc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A client that sees and sends frames (RFC 9113, section 4.1). */
final class RawHttp2 {
  private static final int SETTINGS = 4;
  static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;

  private final Socket socket;

  /** Sends the preface, with empty settings. */
  RawHttp2(Socket socket) throws IOException {
    this.socket = socket;
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    send(SETTINGS, 0, new byte[0]);
  }

  void send(int type, int flags, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(0).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  /** Reads up to the next frame of this type; returns its payload. */
  private byte[] await(int type) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      int lengthAndType = in.readInt();
      in.skipNBytes(5);
      byte[] payload = in.readNBytes(lengthAndType >>> 8);
      if ((lengthAndType & 0xFF) == type) {
        return payload;
      }
    }
  }

  /** Plays the client's part of the two GOAWAYs; returns the last stream that the second names. */
  int leave() throws IOException {
    send(PING, ACK, await(PING));
    return goAway();
  }

  /** Returns the last stream that the next GOAWAY names. */
  int goAway() throws IOException {
    return ByteBuffer.wrap(await(GOAWAY)).getInt();
  }

  /** Reads one byte more; -1 is the server's FIN, or its close_notify. */
  int read() throws IOException {
    return socket.getInputStream().read();
  }
}
