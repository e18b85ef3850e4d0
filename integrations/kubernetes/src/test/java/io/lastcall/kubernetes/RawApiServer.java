package io.lastcall.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Answers every request with the same head and body, which HttpsServer does not let choose. */
final class RawApiServer implements AutoCloseable {
  private final Path account;
  private final ServerSocket socket;
  private final byte[] answer;
  private volatile boolean answered;

  RawApiServer(Path account, String headers, String body) throws Exception {
    this.account = account;
    SSLContext keys = FakeApiServer.account(account);
    socket =
        keys.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    answer =
        "HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(headers, length, body)
            .getBytes(StandardCharsets.UTF_8);
    Thread thread = new Thread(this::serve, "raw API server");
    thread.setDaemon(true);
    thread.start();
  }

  ApiServer client() {
    return FakeApiServer.client(
        "127.0.0.1:" + socket.getLocalPort(), account, Duration.ofSeconds(30));
  }

  boolean answered() {
    return answered;
  }

  private void serve() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept();
          OutputStream out = client.getOutputStream()) {
        int last = 0;
        for (int ends = 0; ends < 2 && last >= 0; ) {
          last = client.getInputStream().read();
          ends = last == '\n' ? ends + 1 : last == '\r' ? ends : 0;
        }
        out.write(answer);
        answered = true;
      } catch (IOException e) {
        // It is closed, or the client has gone.
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
