package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an application sees of the wrappers. */
public abstract class WrapperContract<C extends ContainerFixture> extends ContainerContract<C> {
  /** One of the two is served in front of our filter, unwrapped. */
  private void assertSame(ContainerFixture.Service service) throws Exception {
    container.serve("/bare", service).serve("/it", service);
    container.addFirst(
        "bare",
        (request, response, chain) -> {
          HttpServletRequest bare = (HttpServletRequest) request;
          if (bare.getServletPath().equals("/bare")) {
            service.serve(bare, (HttpServletResponse) response);
          } else {
            chain.doFilter(request, response);
          }
        },
        DispatcherType.REQUEST,
        DispatcherType.ASYNC);
    container.start();
    try (RawClient first = container.client();
        RawClient second = container.client()) {
      Reply bare = first.exchange("/bare?q=1");
      Reply wrapped = second.exchange("/it?q=1");
      assertEquals(bare.status(), wrapped.status());
      if (bare.status() == 200) {
        assertEquals(bare.body(), wrapped.body());
      }
    }
  }

  @Test
  void stream_printsLatinInUtf8_asTheContainerDoes() throws Exception {
    assertSame(
        (request, response) -> {
          response.setContentType("text/plain;charset=UTF-8");
          response.getOutputStream().println("\u00fc");
        });
  }

  @Test
  void stream_printsEuro_asTheContainerDoes() throws Exception {
    assertSame(
        (request, response) -> {
          response.setContentType("text/plain;charset=UTF-8");
          response.getOutputStream().print("\u20ac");
        });
  }

  @Test
  void writer_formatsInTheResponsesLocale_asTheContainerDoes() throws Exception {
    assertSame(
        (request, response) -> {
          response.setLocale(Locale.GERMANY);
          response.getWriter().printf("%.2f", 0.5);
        });
  }

  @Test
  void writer_printsLines_asTheContainerDoes() throws Exception {
    assertSame((request, response) -> response.getWriter().println("line"));
  }

  @Test
  void headers_setOrAddedInAnyWay_arrive() throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          response.setHeader("A", "1");
          response.addHeader("B", "2");
          response.setIntHeader("C", 3);
          response.addIntHeader("D", 4);
        });
    container.start();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/it");
      assertEquals(
          List.of("1", "2", "3", "4"), Stream.of("a", "b", "c", "d").map(reply::header).toList());
    }
  }

  @Test
  void writer_writesCharacters_asTheContainerDoes() throws Exception {
    assertSame(
        (request, response) -> {
          response.getWriter().write('a');
          response.getWriter().write("xbcx".toCharArray(), 1, 2);
        });
  }

  @Test
  void writerOrStream_closed_responseHasLeftThoughTheServletGoesOn() throws Exception {
    container.serve(
        "/writer",
        (request, response) -> {
          response.getWriter().print("whole");
          response.getWriter().close();
          ContainerFixture.block(entered, goOn);
        });
    container.serve(
        "/stream",
        (request, response) -> {
          response.getOutputStream().print("whole");
          response.getOutputStream().close();
          ContainerFixture.block(entered, goOn);
        });
    container.start();
    for (String path : List.of("/writer", "/stream")) {
      try (RawClient client = container.client()) {
        assertEquals("whole", client.exchange(path).body());
      }
    }
  }

  @Test
  void async_writerFlushed_isStillInFlight() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      context.getResponse().getWriter().flush();
      assertFalse(context.getResponse().getWriter().checkError());
      assertEquals(1, container.inFlight());
      context.complete();
    }
  }

  @Test
  void async_dispatched_parametersAreNotDoubled() throws Exception {
    assertSame(
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            response.getWriter().print(Arrays.toString(request.getParameterValues("q")));
          } else {
            request.startAsync().dispatch();
          }
        });
  }

  @Test
  void leaving_bufferOverflowsInAnInclude_saysClose() throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.INCLUDE) {
            response.getWriter().print("x".repeat(100_000));
          } else {
            container.leave();
            request.getRequestDispatcher("/it").include(request, response);
          }
        });
    container.start();
    try (RawClient client = container.client()) {
      assertTrue(client.exchange("/it").saysClose());
    }
  }

  @Test
  void leaving_lengthSetBehindTheBody_saysClose() throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          container.leave();
          response.getOutputStream().write(new byte[5]);
          response.setContentLength(5);
        });
    container.start();
    try (RawClient client = container.client()) {
      assertTrue(client.exchange("/it").saysClose());
    }
  }

  /** Not on Undertow, which ends such a body as if it were whole, shutdown or not. */
  protected final void assertThatACutBodyLooksCut() throws Exception {
    AtomicBoolean leaving = new AtomicBoolean();
    container.serve(
        "/it",
        (request, response) -> {
          if (leaving.get()) {
            container.leave();
          }
          response.getOutputStream().write(new byte[5]);
          response.flushBuffer();
          throw new IOException("back end is gone");
        });
    container.start();
    try (RawClient before = container.client()) {
      assertThrows(IOException.class, () -> before.exchange("/it"), "before a shutdown");
    }
    leaving.set(true);
    try (RawClient client = container.client()) {
      assertThrows(IOException.class, () -> client.exchange("/it"), "during a shutdown");
    }
  }

  @Test
  void async_applicationPassesAWrongRange_isStillInFlight() throws Exception {
    assertStillInFlight(
        IndexOutOfBoundsException.class,
        response -> response.getOutputStream().write(new byte[2], 1, 5));
  }

  @Test
  void async_applicationPassesAWrongFormat_isStillInFlight() throws Exception {
    String format = String.join("", "%", "d"); // Error Prone knows a wrong one that it sees
    assertStillInFlight(
        IllegalArgumentException.class, response -> response.getWriter().format(format, "one"));
  }

  @Test
  void async_applicationFormatsWhatThrows_isStillInFlight() throws Exception {
    Object unprintable =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException("on purpose");
          }
        };
    assertStillInFlight(
        UnsupportedOperationException.class,
        response -> response.getWriter().format("%s", unprintable));
  }

  @Test
  void async_applicationWritesWhenItIsNotReady_isStillInFlight() throws Exception {
    assertStillInFlight(
        IllegalStateException.class,
        response -> {
          ServletOutputStream stream = response.getOutputStream();
          stream.setWriteListener(new Idle());
          while (stream.isReady()) {
            stream.write(new byte[100_000]);
          }
          stream.write(1);
        });
  }

  private static final class Idle implements WriteListener {
    @Override
    public void onWritePossible() {}

    @Override
    public void onError(Throwable failure) {}
  }

  private interface Mistake {
    void make(ServletResponse response) throws IOException;
  }

  private void assertStillInFlight(Class<? extends Exception> thrown, Mistake mistake)
      throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          assertThrows(thrown, () -> mistake.make(response));
          started.add(context);
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/it");
      AsyncContext context = takeStarted();
      assertEquals(1, container.inFlight());
      context.complete();
    }
  }

  @Test
  void sse_behindEarlyHints_isLongLived() throws Exception {
    AtomicBoolean longLived = new AtomicBoolean();
    AtomicBoolean interim = new AtomicBoolean();
    container.serve(
        "/it",
        (request, response) -> {
          response.setHeader("Link", "</style.css>; rel=preload");
          response.sendError(103);
          interim.set(!response.isCommitted());
          response.setContentType("text/event-stream");
          response.flushBuffer();
          longLived.set(container.connectionControl.connections().open() == 1);
          goOn.countDown();
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/it");
      goOn.await();
      assertEquals(interim.get(), longLived.get());
    }
  }
}
