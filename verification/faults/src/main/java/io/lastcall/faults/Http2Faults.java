package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Clients of HTTP/2 that flood, or do not listen. Well-behaved ones of HTTP/1.1 lose nothing. */
final class Http2Faults {
  private static final int FLOODS = 4;

  private Http2Faults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    for (Fault.Server server : List.of(TOMCAT, NETTY)) {
      faults.add(
          clients(server, "streams that are opened and reset at once")
              .after(flood(Http2Faults::openAndReset)));
      faults.add(clients(server, "a flood of PING").after(flood((client, frame) -> client.ping())));
      faults.add(
          clients(server, "a flood of SETTINGS")
              .after(flood((client, frame) -> client.settings())));
      faults.add(
          clients(server, "streams that are opened after GOAWAY")
              .after(Http2Faults::openAfterGoAway));
      faults.add(
          clients(server, "20 connections that neither read nor acknowledge")
              .before(Http2Faults::deaf));
    }
    return faults;
  }

  private static Fault clients(Fault.Server server, String name) {
    return Fault.of("HTTP/2", server, name, Right.code(Right.CLEAN, Right.INCOMPLETE))
        .breaks("step:DRAIN=slow");
  }

  private interface Frame {
    void send(Http2 client, int number) throws IOException;
  }

  private static void openAndReset(Http2 client, int number) throws IOException {
    int stream = 2 * number + 1;
    client.request(stream, "/fast");
    client.reset(stream);
  }

  /** From four connections until the end; a server may end them, and others follow. */
  private static Fault.Part flood(Frame frame) {
    return run -> {
      List<Thread> threads = new ArrayList<>();
      for (int client = 0; client < FLOODS; client++) {
        Thread thread = new Thread(() -> floodOnce(run, frame), "flood " + client);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    };
  }

  private static void floodOnce(Run run, Frame frame) {
    while (run.isAlive()) {
      try (Http2 client = Http2.open(run.port("h2"))) {
        for (int number = 0; run.isAlive(); number++) {
          frame.send(client, number);
        }
      } catch (IOException e) {
        run.awaitALittle();
      }
    }
  }

  private static void openAfterGoAway(Run run) throws Exception {
    try (Http2 client = Http2.open(run.port("h2"))) {
      client.request(1, "/work?ms=3000");
      client.awaitGoAway();
      for (int stream = 3; run.isAlive(); stream += 2) {
        client.request(stream, "/fast");
        run.awaitALittle();
      }
    } catch (IOException e) {
      run.note("the server ended it: " + e);
    }
  }

  private static void deaf(Run run) throws IOException {
    for (int client = 0; client < 20; client++) {
      Http2 deaf = run.keep(Http2.openDeaf(run.port("h2")));
      for (int stream = 1; stream < 40; stream += 2) {
        deaf.request(stream, "/fast");
      }
    }
  }
}
