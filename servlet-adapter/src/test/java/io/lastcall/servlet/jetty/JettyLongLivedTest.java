package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.servlet.contract.LongLivedContract;
import io.lastcall.servlet.jetty.DrainingRequest.DrainingStream;
import io.lastcall.testing.RawClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.junit.jupiter.api.Test;

class JettyLongLivedTest extends LongLivedContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  /** Whoever ends it comes when it is marked and not listed yet: its id is asked for then. */
  @Test
  void stream_endsAsItBegins_isNotListed() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.send("GET");
      container.awaitConnections(1);
      DrainingEndPoint endPoint = container.connector.endPoints().iterator().next();
      Queue<DrainingStream> ending = new ArrayDeque<>();
      InvocationHandler asked =
          (self, method, arguments) -> {
            if (!method.getName().equals("getId")) {
              return null;
            }
            if (!ending.isEmpty()) {
              ending.remove().succeeded();
            }
            return "1";
          };
      DrainingStream stream =
          new DrainingStream(
              proxy(HttpStream.class, asked), proxy(Request.class, asked), endPoint, false);
      ending.add(stream);
      stream.becomeLongLived();
      assertFalse(endPoint.isLongLived("1"));
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
