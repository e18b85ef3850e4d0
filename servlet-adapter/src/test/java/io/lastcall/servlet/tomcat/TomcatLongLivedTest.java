package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.LongLivedContract;
import io.lastcall.testing.RawClient;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.Test;

class TomcatLongLivedTest extends LongLivedContract<TomcatFixture> {
  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();

  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** Nobody else says that it is over. */
  @Test
  void sse_toldToCloseWhenTomcatHasForgottenTheRequest_isDeregisteredAtTheNextEvent()
      throws Exception {
    container.context.getPipeline().addValve(new Capture());
    container.start();
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) container.connector.getProtocolHandler();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      ServletResponse response = takeStarted().getResponse();
      await().until(() -> protocol.getWaitingProcessorCount() == 1);
      requests.take().recycle();
      CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(this::closeAll);
      await().until(container.connectionControl::areAllToldToClose);
      assertThrows(IOException.class, response::flushBuffer);
      assertTrue(closed.get());
    }
  }

  /** Keeps Tomcat's own request, which a test may take to pieces. */
  private final class Capture extends ValveBase {
    Capture() {
      super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
      requests.add(request);
      getNext().invoke(request, response);
    }
  }
}
