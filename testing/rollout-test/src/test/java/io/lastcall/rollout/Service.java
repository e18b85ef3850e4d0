package io.lastcall.rollout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that leaves as it should, written without a library, and its mutants: each has one
 * fault. Arguments: port, mutant; property: delay. Paths: {@code /fast}, {@code /work} (300 ms),
 * {@code /stream} (chunks for 2.5 s), {@code /events}, {@code /ws}, {@code /readyz}.
 */
final class Service {
  /** More than the routers of the tests take. */
  private static final long DELAY_MILLIS = Long.getLong("delay", 3_000);

  /** Not at once, and too short all the same. */
  private static final long SHORT_MILLIS = 1_200;

  private static final long PIECE_MILLIS = 100;

  private final Mutant mutant;
  private final ServerSocket listener = new ServerSocket();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Set<Socket> webSockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();
  private final CountDownLatch ending = new CountDownLatch(1);
  private volatile boolean terminating;
  private volatile boolean ready = true;

  /** What is wrong. */
  enum Mutant {
    NONE,
    NO_COUNT,
    NO_DELAY,
    SHORT_DELAY,
    READINESS_FIRST,
    POOL_CLOSED,
    EXIT_IN_HOOK,
    HANGS,
    NEVER_SAYS_CLOSE,
    STREAM_CUT,
    UNAVAILABLE,
    STOPS_LISTENING,
    DROPS_WEB_SOCKETS,
    CUTS_EVENTS,
    DIES,
    NEVER_READY,
    FAILS_ON_KEPT_CONNECTIONS
  }

  private Service(int port, Mutant mutant) throws IOException {
    this.mutant = mutant;
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 100);
  }

  public static void main(String[] arguments) throws IOException {
    Mutant mutant = arguments.length > 1 ? Mutant.valueOf(arguments[1]) : Mutant.NONE;
    if (mutant == Mutant.DIES) {
      System.out.println("no database");
      System.exit(7);
    }
    int port = Integer.parseInt(arguments[0].replace("--server.port=", ""));
    Service service = new Service(port, mutant);
    Runtime.getRuntime().addShutdownHook(new Thread(service::leave, "shutdown"));
    System.out.println("serves as " + mutant);
    service.accept();
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = listener.accept();
        connections.add(socket);
        thread(() -> serve(socket));
      } catch (IOException e) {
        return; // closed, since it leaves
      }
    }
  }

  private static void thread(Runnable work) {
    Thread thread = new Thread(work, "serves");
    thread.setDaemon(true);
    thread.start();
  }

  /** The hook. */
  private void leave() {
    terminating = true;
    System.out.println("leaves");
    if (mutant == Mutant.EXIT_IN_HOOK) {
      System.exit(1);
    }
    if (mutant == Mutant.STOPS_LISTENING) {
      close(listener);
    }
    if (mutant == Mutant.READINESS_FIRST) {
      ready = false;
    }
    if (mutant != Mutant.NO_DELAY) {
      pause(mutant == Mutant.SHORT_DELAY ? SHORT_MILLIS : DELAY_MILLIS);
    }
    ready = false;
    if (mutant == Mutant.HANGS) {
      pause(TimeUnit.HOURS.toMillis(1));
    }
    end();
  }

  private void end() {
    ending.countDown(); // of the event streams
    if (mutant != Mutant.DROPS_WEB_SOCKETS) {
      webSockets.forEach(socket -> write(socket, new byte[] {(byte) 0x88, 2, 0x03, (byte) 0xE9}));
    }
    if (mutant == Mutant.NO_COUNT) {
      return;
    }
    close(listener);
    if (mutant == Mutant.NEVER_SAYS_CLOSE) {
      pause(500); // serves what was in flight, while its clients send more
      return;
    }
    // What it has accepted is served; a client that was told to close comes no more.
    pause(200);
    int patience = 200;
    while ((inFlight.get() > 0 || isStreaming()) && patience-- > 0) {
      pause(20);
    }
    connections.forEach(Service::closeQuietly);
  }

  private boolean isStreaming() {
    return streams.get() > 0
        && mutant != Mutant.STREAM_CUT
        && mutant != Mutant.CUTS_EVENTS
        && mutant != Mutant.DROPS_WEB_SOCKETS;
  }

  private void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      boolean goOn = true;
      boolean kept = false;
      while (goOn) {
        String line = in.readLine();
        if (line == null) {
          return;
        }
        int length = 0;
        for (String head = in.readLine(); head != null && !head.isEmpty(); head = in.readLine()) {
          if (head.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
            length = Integer.parseInt(head.substring(15).strip());
          }
        }
        for (int i = 0; i < length; i++) {
          in.read();
        }
        goOn = answer(socket, line.split(" ")[1], kept);
        kept = true;
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      connections.remove(socket);
      webSockets.remove(socket);
    }
  }

  /** Returns whether the connection is kept. */
  private boolean answer(Socket socket, String path, boolean kept) throws IOException {
    boolean streamed = path.equals("/stream") || path.equals("/events") || path.equals("/ws");
    AtomicInteger count = streamed ? streams : inFlight;
    count.incrementAndGet();
    try {
      switch (path) {
        case "/readyz" -> {
          return whole(socket, ready && mutant != Mutant.NEVER_READY ? 200 : 503);
        }
        case "/missing" -> {
          return whole(socket, 404);
        }
        case "/ws" -> {
          webSocket(socket);
          return false;
        }
        case "/stream", "/events" -> {
          return stream(socket, path.equals("/events"));
        }
        default -> {
          pause(path.equals("/work") ? 300 : 0);
          boolean fails = mutant == Mutant.FAILS_ON_KEPT_CONNECTIONS && kept;
          return whole(socket, fails ? 500 : terminating ? lateStatus() : 200);
        }
      }
    } finally {
      count.decrementAndGet();
    }
  }

  private int lateStatus() {
    return switch (mutant) {
      case POOL_CLOSED -> 500;
      case UNAVAILABLE -> 503;
      default -> 200;
    };
  }

  private boolean saysClose() {
    return terminating && mutant != Mutant.NEVER_SAYS_CLOSE && mutant != Mutant.NO_COUNT;
  }

  private boolean whole(Socket socket, int status) {
    boolean close = saysClose();
    write(
        socket,
        ("HTTP/1.1 " + status + " X\r\n" + (close ? "Connection: close\r\n" : ""))
            + "Content-Length: 2\r\n\r\nok");
    return !close;
  }

  private boolean stream(Socket socket, boolean forEver) {
    boolean close = saysClose();
    write(
        socket,
        "HTTP/1.1 200 OK\r\n"
            + (close ? "Connection: close\r\n" : "")
            + "Transfer-Encoding: chunked\r\n\r\n");
    for (int piece = 0; forEver ? ending.getCount() > 0 : piece < 25; piece++) {
      write(socket, "5\r\npiece\r\n");
      pause(PIECE_MILLIS);
    }
    if (forEver && mutant == Mutant.CUTS_EVENTS) {
      pause(TimeUnit.HOURS.toMillis(1));
    }
    write(socket, "0\r\n\r\n");
    return !close;
  }

  private void webSocket(Socket socket) throws IOException {
    write(socket, "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    webSockets.add(socket);
    while (socket.getInputStream().read() >= 0) {
      // Reads on until the client closes.
    }
  }

  private static void write(Socket socket, String text) {
    write(socket, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void write(Socket socket, byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
    } catch (IOException e) {
      // The client has gone, and says what that meant to it.
    }
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long rest = end - System.nanoTime(); rest > 0; rest = end - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Gone.
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Gone.
    }
  }
}
