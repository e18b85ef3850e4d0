package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.LogManager;

/** A real container on a port of its own, with the filter in front of the servlets of a test. */
public abstract class ContainerFixture {
  public static final Duration LIMIT = Duration.ofSeconds(60);

  public final GateControl control = new GateControl(Ticker.system());
  public final ConnectionControl connectionControl = new ConnectionControl();
  public final AtomicBoolean ready = new AtomicBoolean(true);
  public final Probes probes;
  public final ShutdownFilter filter;

  /** What a test's servlet does. */
  @FunctionalInterface
  public interface Service {
    void serve(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  /** What a client does. */
  @FunctionalInterface
  public interface ClientAction {
    void run() throws IOException;
  }

  protected ContainerFixture() {
    this(Optional.empty());
  }

  /** With probes of the test's own. */
  protected ContainerFixture(Optional<Probes> others) {
    // Containers log every exception that a test throws on purpose.
    LogManager.getLogManager().reset();
    probes = others.orElseGet(() -> FixedProbes.of(() -> true, ready::get));
    filter = anotherFilter();
  }

  /** Returns one more of the same gate. */
  public final ShutdownFilter anotherFilter() {
    return new ShutdownFilter(control.gate(), probes, connectionControl.connections());
  }

  /** For the first connection it fails. */
  public static Supplier<FirstRequest> failingOnce() {
    AtomicBoolean fails = new AtomicBoolean(true);
    return () -> {
      if (fails.getAndSet(false)) {
        throw new IllegalStateException("fails once");
      }
      return new FirstRequest();
    };
  }

  public abstract DrainableServer server();

  /** Adds a filter behind those there are. */
  public abstract ContainerFixture addFilter(String name, Filter added, DispatcherType... types);

  /** Adds a filter in front of ours. */
  public abstract ContainerFixture addFirst(String name, Filter added, DispatcherType... types);

  /** As above, for requests as they come. */
  public final ContainerFixture addFirst(String name, Filter added) {
    return addFirst(name, added, DispatcherType.REQUEST);
  }

  protected abstract void addServlet(HttpServlet servlet, String... paths);

  public abstract ContainerFixture addErrorPage(int status, String path);

  public abstract ContainerFixture start() throws Exception;

  public abstract int port();

  /** Begins event streams, and says so by {@code started}. */
  public void serveEvents(String path, Collection<? super AsyncContext> started) {
    serve(
        path,
        (request, response) -> {
          response.setContentType("text/event-stream");
          started.add(request.startAsync());
          response.flushBuffer();
        });
  }

  public ContainerFixture serve(String path, Service service) {
    addServlet(servlet(service), path);
    return this;
  }

  static HttpServlet servlet(Service service) {
    return new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response)
          throws IOException, ServletException {
        service.serve(request, response);
      }
    };
  }

  /** Has the filter see the probes: Tomcat runs none for a path that no servlet has. */
  public ContainerFixture serveProbes() {
    addServlet(servlet((request, response) -> response.sendError(500)), probes.urlPatterns());
    return this;
  }

  public RawClient client() throws IOException {
    return new RawClient(port());
  }

  /** The shutdown begins; every response says close. */
  public void leave() {
    control.leave(Duration.ZERO);
  }

  /** What DRAIN does with a server, once no request is in flight. */
  public CompletableFuture<?> drain() throws Exception {
    leave();
    server().stopListening(limit());
    return endConnections();
  }

  /** What {@link #drain()} does behind a closed listener. */
  public CompletableFuture<?> endConnections() {
    server().connections().forEach(HttpConnection::closeIfIdle);
    return server().connectionsEnded().toCompletableFuture();
  }

  /** As {@link #drain()}; the client acts while what arrives stays in the kernel's buffers. */
  public CompletableFuture<?> drainBehind(ClientAction action) throws Exception {
    leave();
    server().stopListening(limit());
    return whileNobodyReads(
        () -> {
          action.run();
          return endConnections();
        });
  }

  /** Runs {@code action} with those held who read from connections. */
  protected abstract <T> T whileNobodyReads(Callable<T> action) throws Exception;

  /** To close if idle, behind what has come: Undertow's threads work it off before the answer. */
  public void tellOnceMore() throws Exception {
    server().stopListening(limit());
    server().connections().forEach(HttpConnection::closeIfIdle);
    server().stopListening(limit());
  }

  /** Says that it has begun, and waits. */
  public static void block(CountDownLatch blocked, CountDownLatch goOn) {
    blocked.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static Deadline limit() {
    return Deadline.after(LIMIT, Ticker.system());
  }

  public long inFlight() {
    return control.gate().inFlight();
  }

  /** Of how many connections the drain waits for a response, though nobody counts it. */
  public long answering() {
    return server().connections().stream().filter(HttpConnection::isAnswering).count();
  }

  public void awaitInFlight(long expected) {
    await().atMost(LIMIT).until(() -> inFlight() == expected);
  }

  /** Waits until {@code requests} were counted in and out again. */
  public void awaitCounted(long requests) {
    await()
        .atMost(LIMIT)
        .until(() -> control.started() == requests && control.finished() == requests);
  }

  public void awaitConnections(int expected) {
    await().atMost(LIMIT).until(() -> server().connections().size() == expected);
  }

  public abstract void close() throws Exception;
}
