package io.lastcall.rollout.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Serves one scripted connection after the other, each by the next of its scripts. */
final class StubServer implements AutoCloseable {
  private final ServerSocket listener;
  private final Semaphore finished = new Semaphore(0);

  /** What to do with one connection; it is closed afterwards. */
  interface Script {
    void serve(Peer peer) throws IOException;
  }

  /** The server's side of a connection. */
  record Peer(Socket socket, BufferedReader in, OutputStream out) {

    /** Reads one request without a body. */
    void readHead() throws IOException {
      String line;
      do {
        line = in.readLine();
      } while (line != null && !line.isEmpty());
    }

    void readBody(int length) throws IOException {
      int count = 0;
      while (count < length && in.read() >= 0) {
        count++;
      }
    }

    void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  StubServer(Script... scripts) throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(() -> serve(List.of(scripts)), "stub-server");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serve(List<Script> scripts) {
    for (Script script : scripts) {
      try (Socket socket = listener.accept()) {
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        script.serve(new Peer(socket, in, socket.getOutputStream()));
      } catch (IOException e) {
        // The script's connection broke, or the test is over: its client has seen what it was to
        // see.
      } finally {
        finished.release();
      }
    }
  }

  /** Waits until the next script has ended and its connection is closed. */
  void awaitScript() throws InterruptedException {
    finished.acquire();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
