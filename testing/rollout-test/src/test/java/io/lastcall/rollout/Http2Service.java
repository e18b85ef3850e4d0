package io.lastcall.rollout;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that speaks HTTP/2 with prior knowledge, and HTTP/1.1 for its readiness. It answers
 * each request after 200 ms, serves on for 3 s after SIGTERM, waits for what is in flight, and
 * exits. Arguments: port, and {@code GOAWAY} or {@code NO_GOAWAY}.
 */
final class Http2Service {
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int GOAWAY = 7;
  private static final long ANSWER_MILLIS = 200;
  private static final long DELAY_MILLIS = 3_000;

  private final boolean saysGoAway;
  private final ServerSocket listener = new ServerSocket();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final ScheduledExecutorService answers =
      Executors.newScheduledThreadPool(2, Http2Service::daemon);

  private Http2Service(int port, boolean saysGoAway) throws IOException {
    this.saysGoAway = saysGoAway;
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
  }

  public static void main(String[] arguments) throws IOException {
    Http2Service service =
        new Http2Service(Integer.parseInt(arguments[0]), arguments[1].equals("GOAWAY"));
    Runtime.getRuntime().addShutdownHook(new Thread(service::leave, "shutdown"));
    while (true) {
      Socket socket = service.listener.accept();
      daemon(() -> service.serve(socket)).start();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "serves");
    thread.setDaemon(true);
    return thread;
  }

  private void leave() {
    if (saysGoAway) {
      connections.forEach(Http2Service::goAway);
    }
    pause(DELAY_MILLIS);
    if (saysGoAway) {
      connections.forEach(Http2Service::goAway); // those that came meanwhile
      for (int i = 0; i < 100 && inFlight.get() > 0; i++) {
        pause(20);
      }
    } else {
      pause(2 * ANSWER_MILLIS); // for what was in flight, while clients send more
    }
  }

  private static void goAway(Socket socket) {
    write(socket, GOAWAY, 0, 0, new byte[] {0x7F, -1, -1, -1, 0, 0, 0, 0});
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      if (in.readUnsignedByte() == 'G') {
        socket
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return;
      }
      in.readNBytes(23); // the rest of the preface
      connections.add(socket);
      write(socket, SETTINGS, 0, 0);
      while (true) {
        frame(socket, in);
      }
    } catch (IOException e) {
      connections.remove(socket); // the client has gone
    }
  }

  private void frame(Socket socket, DataInputStream in) throws IOException {
    int lengthAndType = in.readInt();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    if (in.readNBytes(lengthAndType >>> Byte.SIZE).length < lengthAndType >>> Byte.SIZE) {
      throw new EOFException();
    }
    int type = lengthAndType & 0xFF;
    if (type == SETTINGS && (flags & 1) == 0) {
      write(socket, SETTINGS, 1, 0);
    }
    if (type == HEADERS) {
      inFlight.incrementAndGet();
      answers.schedule(
          () -> {
            write(socket, HEADERS, 4, stream, (byte) 0x88);
            write(socket, 0, 1, stream, (byte) 'o', (byte) 'k');
            inFlight.decrementAndGet();
          },
          ANSWER_MILLIS,
          TimeUnit.MILLISECONDS);
    }
  }

  private static void write(Socket socket, int type, int flags, int stream, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << Byte.SIZE | type).put((byte) flags).putInt(stream).put(payload);
    synchronized (socket) {
      try {
        socket.getOutputStream().write(frame.array());
      } catch (IOException e) {
        // The client has gone, and says what that meant to it.
      }
    }
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long rest = end - System.nanoTime(); rest > 0; rest = end - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
  }
}
