package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.servlet.contract.AsyncCountingContract;
import io.lastcall.testing.RawClient;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.Test;

class TomcatAsyncCountingTest extends AsyncCountingContract<TomcatFixture> {
  private final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();

  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Test
  void async_streamUsedFirstWhenTomcatHasForgottenTheRequest_isReleased() throws Exception {
    container.context.getPipeline().addValve(new Capture());
    container.start();
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) container.connector.getProtocolHandler();
    try (RawClient client = container.client()) {
      client.get("/async");
      OutputStream stream = takeStarted().getResponse().getOutputStream();
      await().until(() -> protocol.getWaitingProcessorCount() == 1);
      // As behind a reset that meets the servlet's thread on its way out.
      responses.take().recycle();
      assertEquals(1, container.inFlight());
      assertThrows(RuntimeException.class, stream::flush);
      container.awaitCounted(1);
    }
  }

  /** Keeps Tomcat's own response, which a test may take to pieces. */
  private final class Capture extends ValveBase {
    Capture() {
      super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      responses.add(response);
      getNext().invoke(request, response);
    }
  }
}
