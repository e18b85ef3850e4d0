package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clients of HTTP/1.1, TLS and WebSocket that do not what they should. */
final class ClientFaults {
  private static final String HALF_HEAD = "GET /fast HTTP/1.1\r\nHo";
  private static final String HALF_BODY =
      "POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf";
  private static final String BIG = "GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String UPGRADE =
      String.join(
          "\r\n",
          "GET /ws HTTP/1.1",
          "Host: localhost",
          "Upgrade: websocket",
          "Connection: Upgrade",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "",
          "");

  /** A handshake that stops after the type and version of its first record. */
  private static final String HALF_HELLO = "\u0016\u0003\u0001\u0002\0\u0001\0";

  private ClientFaults() {}

  static List<Fault> all(Path keys) {
    return List.of(
        clients(TOMCAT, "20 heads sent by half", Right.clean()).before(many(20, HALF_HEAD)),
        clients(NETTY, "20 heads sent by half", Right.clean()).before(many(20, HALF_HEAD)),
        clients(TOMCAT, "300 idle connections", Right.clean()).before(many(300, "")),
        clients(NETTY, "300 idle connections", Right.clean()).before(many(300, "")),
        clients(TOMCAT, "a body sent by half", Right.incomplete())
            .before(
                run -> {
                  run.open(run.port(), HALF_BODY);
                  run.jvm().awaitSaid("serving", 1);
                }),
        clients(TOMCAT, "a response that is not read", Right.incomplete()).before(unread()),
        clients(NETTY, "a response that is not read", Right.incomplete()).before(unread()),
        clients(TOMCAT, "a response that is read slowly", Right.incomplete())
            .before(unread())
            .after(ClientFaults::readSlowly),
        clients(TOMCAT, "50 clients reset in the middle of a response", Right.clean())
            .after(ClientFaults::resetMany),
        clients(NETTY, "50 clients reset in the middle of a response", Right.clean())
            .after(ClientFaults::resetMany),
        clients(TOMCAT, "a client that sends on after Connection: close", Right.clean())
            .after(ClientFaults::sendOn),
        clients(NETTY, "a client that sends on after Connection: close", Right.clean())
            .after(ClientFaults::sendOn),
        clients(TOMCAT, "an event stream whose client stays", Right.clean())
            .before(run -> run.ask("/events", "serving", 1)),
        clients(NETTY, "an event stream whose client stays", Right.clean())
            .before(run -> run.ask("/events", "serving", 1)),
        clients(NETTY, "20 WebSockets that do not answer the close frame", Right.clean())
            .before(ClientFaults::webSockets),
        clients(TOMCAT, "20 TLS handshakes that stop halfway", Right.clean())
            .with("faults.keys", keys.toString())
            .before(
                run -> {
                  for (int connection = 0; connection < 20; connection++) {
                    run.open(run.port("tls"), HALF_HELLO);
                  }
                }));
  }

  private static Fault clients(Fault.Server server, String name, Right right) {
    return Fault.of("Clients", server, name, right);
  }

  private static Fault.Part many(int count, String text) {
    return run -> {
      for (int connection = 0; connection < count; connection++) {
        run.open(run.port(), text);
      }
    };
  }

  private static void webSockets(Run run) throws IOException {
    for (int client = 0; client < 20; client++) {
      Socket socket = run.open(run.port(), UPGRADE);
      String head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
      if (!head.equals("HTTP/1.1 101")) {
        throw new IOException("no WebSocket: " + head);
      }
    }
  }

  private static Fault.Part unread() {
    return run -> run.open(run.port(), BIG);
  }

  private static void readSlowly(Run run) throws IOException {
    Socket socket = run.open(run.port(), BIG);
    byte[] piece = new byte[1_000];
    while (run.isAlive() && socket.getInputStream().read(piece) > 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private static void resetMany(Run run) throws IOException {
    for (int client = 0; client < 50; client++) {
      try (Socket socket = run.open(run.port(), BIG)) {
        socket.setSoLinger(true, 0);
        run.note("read " + socket.getInputStream().read());
      }
    }
  }

  /** On one connection until it ends. */
  private static void sendOn(Run run) {
    try (Http http = Http.connect(run.port())) {
      while (run.isAlive()) {
        http.get("/fast");
      }
    } catch (IOException e) {
      run.note("the server ended it: " + e);
    }
  }
}
