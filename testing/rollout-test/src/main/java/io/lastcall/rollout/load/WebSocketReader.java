package io.lastcall.rollout.load;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** The client's side of a WebSocket that only listens, RFC 6455. Used by one thread. */
final class WebSocketReader {
  private static final int CLOSE = 8;
  private static final int PING = 9;
  private static final int PONG = 10;
  private static final int SWITCHING = 101;
  private static final int LONGEST_HEAD = 16_384;

  /** A close frame without a code, section 7.1.5. */
  private static final int NO_CODE = 1005;

  private final DataInputStream in;
  private final OutputStream out;

  WebSocketReader(InputStream in, OutputStream out) {
    this.in = new DataInputStream(in);
    this.out = out;
  }

  /** Reads to the close frame; its code is the body, and the status is that of the handshake. */
  Reply read() {
    int status = 0;
    try {
      status = handshake();
      return status == SWITCHING
          ? new Reply.Complete(status, true, Integer.toString(closeCode()))
          : new Reply.Complete(status, true, "");
    } catch (EOFException e) {
      return new Reply.Broken(Outcome.EOF, ended(status));
    } catch (IOException e) {
      return new Reply.Broken(Outcome.RESET, ended(status));
    }
  }

  private static String ended(int status) {
    return status == SWITCHING ? "no close frame: 1006" : "ended within the handshake";
  }

  /** Reads to the end of the answer's head, and returns its status; 0 for an answer of none. */
  int handshake() throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) in.readUnsignedByte());
      if (head.length() > LONGEST_HEAD) {
        throw new IOException("no end of the handshake");
      }
    }
    return head.toString().matches("(?s)HTTP/1\\.1 [1-5]\\d\\d .*")
        ? Integer.parseInt(head.substring(9, 12))
        : 0;
  }

  private int closeCode() throws IOException {
    while (true) {
      int first = in.readUnsignedByte();
      int second = in.readUnsignedByte();
      long length = second & 0x7F;
      if (length == 126) {
        length = in.readUnsignedShort();
      } else if (length == 127) {
        length = in.readLong();
      }
      switch (first & 0x0F) {
        case CLOSE -> {
          byte[] payload = in.readNBytes((int) length);
          send(CLOSE, payload);
          return payload.length < 2 ? NO_CODE : (payload[0] & 0xFF) << 8 | (payload[1] & 0xFF);
        }
        case PING -> send(PONG, in.readNBytes((int) length));
        default -> in.skipNBytes(length);
      }
    }
  }

  /** Masked, as a client's frames must be, section 5.3; by zeros. Control frames are short. */
  private void send(int opcode, byte[] payload) throws IOException {
    byte[] frame = new byte[6 + payload.length];
    frame[0] = (byte) (0x80 | opcode);
    frame[1] = (byte) (0x80 | payload.length);
    System.arraycopy(payload, 0, frame, 6, payload.length);
    out.write(frame);
  }

  /** The handshake's header fields, section 4.1. */
  static Map<String, String> fields() {
    return Map.of(
        "Connection", "Upgrade",
        "Upgrade", "websocket",
        "Sec-WebSocket-Version", "13",
        "Sec-WebSocket-Key",
            Base64.getEncoder()
                .encodeToString("a rollout's test".getBytes(StandardCharsets.US_ASCII)));
  }
}
