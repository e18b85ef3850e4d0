package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.TomcatFixture;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an application sends by Tomcat's sendfile where that is offered. */
@Timeout(30)
class StaticFileTest {
  /** More than the kernel's buffers hold. */
  private static final int FILE = 20_000_000;

  private TomcatFixture tomcat;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("file.bin"), new byte[FILE]);
    tomcat = new TomcatFixture();
    tomcat.serve("/file.bin", (request, response) -> send(file, request, response)).start();
  }

  /** As Tomcat's DefaultServlet does, but for responses that a filter has wrapped. */
  private static void send(Path file, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentLength(FILE);
    if (Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support"))) {
      request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
      request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
      request.setAttribute("org.apache.tomcat.sendfile.end", (long) FILE);
    } else {
      Files.copy(file, response.getOutputStream());
    }
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.close();
  }

  private CompletableFuture<?> drain() throws IOException {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  @Test
  void drain_idleAfterAFile_isNotWaitedFor() throws Exception {
    try (RawClient client = tomcat.client()) {
      assertEquals(FILE, client.exchange("/file.bin").body().length());
      drain().get();
    }
  }

  @Test
  void drain_fileBeingSent_isWaitedFor() throws Exception {
    try (RawClient client = tomcat.client().get("/file.bin")) {
      client.readHead();
      assertEquals(1, tomcat.inFlight());
      CompletableFuture<?> ended = drain();
      assertEquals(FILE, client.skip(FILE));
      ended.get();
      tomcat.awaitCounted(1);
    }
  }
}
