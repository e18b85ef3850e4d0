package io.lastcall.rollout.load;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLSocket;

/**
 * A connection of HTTP/2 with prior knowledge (RFC 9113) over a raw socket, so that every way to
 * fail is seen as what it is. Many requests at once; a thread reads. It takes no request after a
 * GOAWAY, as clients do, and closes once the last one has its answer. Thread-safe.
 */
final class Http2ClientConnection implements AutoCloseable {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  // Frames, flags and settings of RFC 9113, sections 6 and 6.5.2.
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int ACK = 1;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;
  private static final int PADDED = 8;
  private static final int PRIORITY = 0x20;

  /** No dynamic table for the server's header fields; a window that no answer fills. */
  private static final byte[] OUR_SETTINGS = {0, 1, 0, 0, 0, 0, 0, 4, 0x3F, 0, 0, 0};

  private static final byte[] OUR_WINDOW = {0x3F, 0, 0, 0};
  private static final int THEIR_WINDOW = 65_535;

  private final int pod;
  private final Socket socket;
  private final SocketChannel channel;
  private final DataInputStream in;
  private final OutputStream out;
  private final Map<Integer, Http2Stream> streams = new ConcurrentHashMap<>();

  /** What the server takes of bodies, for all streams; each body is smaller than a stream's. */
  private final Semaphore window = new Semaphore(THEIR_WINDOW);

  // Guarded by this.
  private int next = 1;
  private boolean leaving;
  private boolean toldToLeave;

  private Http2ClientConnection(int pod, Transport transport) throws IOException {
    this.pod = pod;
    socket = transport.socket();
    channel = transport.channel();
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = socket.getOutputStream();
    out.write(PREFACE);
    write(SETTINGS, 0, 0, OUR_SETTINGS);
    write(WINDOW_UPDATE, 0, 0, OUR_WINDOW);
  }

  /**
   * Connects.
   *
   * @param pod whose connection this is, for the books
   * @param threads one of them reads
   * @throws java.net.ConnectException if nobody listens
   */
  static Http2ClientConnection open(
      int pod, InetSocketAddress address, LoadSettings settings, ExecutorService threads)
      throws IOException {
    Transport transport = Transport.open(address, settings);
    try {
      transport.socket().setSoTimeout(0); // its reader waits between the answers too
      Http2ClientConnection connection = new Http2ClientConnection(pod, transport);
      threads.execute(connection::read);
      return connection;
    } catch (IOException | RuntimeException e) {
      transport.channel().close();
      throw e;
    }
  }

  int pod() {
    return pod;
  }

  synchronized boolean isLeaving() {
    return leaving;
  }

  /** Sends the head of a request; empty if the connection takes none any more. */
  Optional<Http2Stream> begin(Request request) {
    Http2Stream stream = new Http2Stream();
    synchronized (this) {
      if (leaving) {
        return Optional.empty();
      }
      int id = next;
      next += 2;
      stream.id = id;
      streams.put(id, stream);
      try {
        int end = request.hasBody() ? 0 : END_STREAM;
        byte[] fields = Http2Fields.of(request, socket instanceof SSLSocket);
        write(HEADERS, END_HEADERS | end, id, fields);
      } catch (IOException e) {
        stream.broken(Outcome.RESET, "" + e.getMessage());
      }
    }
    return Optional.of(stream);
  }

  /** Sends the body of a request, piece by piece, unless an answer comes meanwhile. */
  void sendBody(Http2Stream stream, Request request) {
    int rest = request.length();
    try {
      for (byte[] piece : request.body()) {
        HttpConnection.pause(request.gap());
        if (stream.reply().isDone()) {
          return;
        }
        window.acquire(piece.length);
        rest -= piece.length;
        write(DATA, rest == 0 ? END_STREAM : 0, stream.id, piece);
      }
    } catch (IOException e) {
      // No verdict: the server may have answered before it closed.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void write(int type, int flags, int stream, byte... payload)
      throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << Byte.SIZE | type).put((byte) flags).putInt(stream).put(payload);
    out.write(frame.array());
  }

  private void read() {
    Outcome end = Outcome.EOF;
    String detail = "closed";
    try {
      while (!isDone()) {
        frame();
      }
    } catch (EOFException e) {
      detail = "closed in a response";
    } catch (IOException e) {
      end = Outcome.RESET;
      detail = "" + e.getMessage();
    }
    leave();
    String told = isToldToLeave() ? " after a GOAWAY" : " without a GOAWAY";
    for (Http2Stream stream : streams.values()) {
      stream.broken(end, detail + told);
    }
    window.release(1 << 30); // no body waits for a server that is gone
    closeSocket();
  }

  private boolean isDone() {
    return isLeaving() && streams.isEmpty();
  }

  private void frame() throws IOException {
    int lengthAndType = in.readInt();
    int flags = in.readUnsignedByte();
    int id = in.readInt();
    byte[] payload = in.readNBytes(lengthAndType >>> Byte.SIZE);
    if (payload.length < lengthAndType >>> Byte.SIZE) {
      throw new EOFException();
    }
    Http2Stream stream = streams.getOrDefault(id, new Http2Stream());
    switch (lengthAndType & 0xFF) {
      case SETTINGS -> {
        if ((flags & ACK) == 0) {
          write(SETTINGS, ACK, 0);
        }
      }
      case PING -> {
        if ((flags & ACK) == 0) {
          write(PING, ACK, 0, payload);
        }
      }
      case WINDOW_UPDATE -> {
        if (id == 0) {
          window.release(ByteBuffer.wrap(payload).getInt());
        }
      }
      case GOAWAY -> goAway(ByteBuffer.wrap(payload).getInt());
      case RST_STREAM -> {
        stream.broken(Outcome.RESET, "RST_STREAM " + ByteBuffer.wrap(payload).getInt());
        streams.remove(id);
      }
      case HEADERS -> stream.headers(unpadded(flags, payload, (flags & PRIORITY) == 0 ? 0 : 5));
      case DATA -> stream.data(unpadded(flags, payload, 0));
      default -> {}
    }
    if ((lengthAndType & 0xFF) <= HEADERS && (flags & END_STREAM) != 0) {
      stream.complete(isLeaving());
      streams.remove(id);
    }
  }

  private static ByteBuffer unpadded(int flags, byte[] payload, int skipped) {
    boolean padded = (flags & PADDED) != 0;
    int from = skipped + (padded ? 1 : 0);
    return ByteBuffer.wrap(payload, from, payload.length - from - (padded ? payload[0] & 0xFF : 0));
  }

  /** What came after the last stream was not looked at; the drill sends nothing twice. */
  private void goAway(int last) {
    synchronized (this) {
      toldToLeave = true;
    }
    leave();
    streams.forEach(
        (id, stream) -> {
          if (id > last) {
            stream.broken(Outcome.REFUSED, "GOAWAY " + last + " refuses " + id);
            streams.remove(id);
          }
        });
  }

  private synchronized boolean isToldToLeave() {
    return toldToLeave;
  }

  private synchronized void leave() {
    leaving = true;
  }

  private void closeSocket() {
    try {
      channel.close();
    } catch (IOException e) {
      // The answers have been judged.
    }
  }

  /** Closes it at once. */
  @Override
  public void close() {
    leave();
    closeSocket();
  }
}
