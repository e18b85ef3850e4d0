package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.RawHttp2Client;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** HTTP/2 clients that read nothing: what is written for them stays on its way. */
public abstract class BlockedWriterContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  /** As large as a window may become at once, far more than the kernel's buffers. */
  private static final int WINDOW = 1_000_000_000;

  private final AtomicLong written = new AtomicLong();
  private volatile Thread writer = Thread.currentThread();

  private void flood(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/event-stream");
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    response.flushBuffer();
    OutputStream out = response.getOutputStream();
    writer = new Thread(() -> writeForever(out));
    writer.setDaemon(true);
    writer.start();
  }

  private void writeForever(OutputStream out) {
    byte[] event = new byte[10_000];
    try {
      while (true) {
        out.write(event);
        out.flush();
        written.addAndGet(event.length);
      }
    } catch (IOException | RuntimeException gone) {
      // So is the client, in the end.
    }
  }

  private boolean isBlocked() {
    return written.get() > 1_000_000
        && (writer.getState() == Thread.State.WAITING
            || writer.getState() == Thread.State.TIMED_WAITING);
  }

  /** Neither GOAWAY nor PING leaves, so that no answer to them comes. */
  @Test
  void drain_clientOfAnEventStreamReadsNothing_isNotWaitedFor() throws Exception {
    container.serve("/flood", this::flood);
    container.start();
    try (RawHttp2Client client = new RawHttp2Client(container.port())) {
      client.openWindow(0, WINDOW).get(1, "/flood").next(RawHttp2Client.HEADERS);
      client.openWindow(1, WINDOW);
      await().until(this::isBlocked);
      container.drain().get();
    }
  }
}
