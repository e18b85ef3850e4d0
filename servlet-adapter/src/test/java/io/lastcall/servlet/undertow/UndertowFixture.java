package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.ProbeServlet;
import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.TomcatFixture.Service;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogManager;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** A real Undertow on a port of its own, with the filter in front of the servlets of a test. */
final class UndertowFixture implements AutoCloseable {
  private static final int IO_THREADS = 2;

  static final Duration LIMIT = Duration.ofSeconds(5);

  final GateControl control = new GateControl(Ticker.system());
  final ConnectionControl connectionControl = new ConnectionControl();
  final AtomicBoolean ready = new AtomicBoolean(true);
  final Probes probes = new Probes(() -> true, ready::get);
  final ShutdownFilter filter =
      new ShutdownFilter(control.gate(), probes, connectionControl.connections());
  final DeploymentInfo deployment =
      Servlets.deployment()
          .setClassLoader(UndertowFixture.class.getClassLoader())
          .setContextPath("/")
          .setDeploymentName("test");
  final XnioWorker worker;
  final UndertowServer server;
  private int port;

  UndertowFixture() throws IOException {
    this(OptionMap.EMPTY, 8);
  }

  UndertowFixture(OptionMap options, int workers) throws IOException {
    // Undertow logs every exception that a test throws on purpose.
    LogManager.getLogManager().reset();
    worker =
        Xnio.getInstance()
            .createWorker(
                OptionMap.builder()
                    .set(Options.WORKER_NAME, "undertow")
                    .set(Options.WORKER_IO_THREADS, IO_THREADS)
                    .set(Options.WORKER_TASK_CORE_THREADS, workers)
                    .set(Options.WORKER_TASK_MAX_THREADS, workers)
                    .getMap());
    server = new UndertowServer(worker, filter, options);
    add("shutdown", filter, DispatcherType.values());
  }

  /** Adds a filter behind those there are. */
  UndertowFixture add(String name, Filter added, DispatcherType... types) {
    deployment.addFilter(
        new FilterInfo(name, added.getClass(), new ImmediateInstanceFactory<>(added))
            .setAsyncSupported(true));
    for (DispatcherType type : types) {
      deployment.addFilterUrlMapping(name, "/*", type);
    }
    return this;
  }

  /** Adds a filter in front of ours. */
  UndertowFixture addFirst(String name, Filter added) {
    add(name, added);
    deployment.insertFilterUrlMapping(0, name, "/*", DispatcherType.REQUEST);
    return this;
  }

  UndertowFixture serve(String path, Service service) {
    return serve(
        new HttpServlet() {
          private static final long serialVersionUID = 1L;

          @Override
          protected void service(HttpServletRequest request, HttpServletResponse response)
              throws IOException, ServletException {
            service.serve(request, response);
          }
        },
        path);
  }

  UndertowFixture serveProbes() {
    return serve(new ProbeServlet(probes), ProbeServlet.mappings());
  }

  private UndertowFixture serve(Servlet servlet, String... paths) {
    deployment.addServlet(
        Servlets.servlet(paths[0], servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
            .setAsyncSupported(true)
            .addMappings(paths));
    return this;
  }

  UndertowFixture start() throws Exception {
    return start(null);
  }

  UndertowFixture start(@Nullable SSLContext tls) throws Exception {
    DeploymentManager manager = Servlets.newContainer().addDeployment(deployment);
    manager.deploy();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    port = server.listen(any, manager.start(), tls).getPort();
    return this;
  }

  int port() {
    return port;
  }

  RawClient client() throws IOException {
    return new RawClient(port);
  }

  /** The shutdown begins; every response says close. */
  void leave() {
    control.leave(Duration.ZERO);
  }

  /** What the DRAIN phase does once no request is in flight. */
  CompletableFuture<?> drain() throws IOException {
    leave();
    server.stopListening(limit());
    server.connections().forEach(HttpConnection::closeIfIdle);
    return server.connectionsEnded().toCompletableFuture();
  }

  /** As {@link #drain()}; the client acts while the I/O threads cannot look. */
  CompletableFuture<?> drainBehind(ClientAction action) throws Exception {
    leave();
    server.stopListening(limit());
    CountDownLatch blocked = new CountDownLatch(IO_THREADS);
    CountDownLatch goOn = new CountDownLatch(1);
    for (int i = 0; i < IO_THREADS; i++) {
      worker.getIoThread(i).execute(() -> block(blocked, goOn));
    }
    try {
      blocked.await();
      action.run();
      server.connections().forEach(HttpConnection::closeIfIdle);
      return server.connectionsEnded().toCompletableFuture();
    } finally {
      goOn.countDown();
    }
  }

  static void block(CountDownLatch blocked, CountDownLatch goOn) {
    blocked.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a client does. */
  interface ClientAction {
    void run() throws IOException;
  }

  /** Tells the connections to close if idle when their I/O threads have read what there was. */
  void tellOnceMore() throws IOException {
    awaitIoThreads();
    server.connections().forEach(HttpConnection::closeIfIdle);
    awaitIoThreads();
  }

  /** It closes no listener twice, and waits until the I/O threads have worked off their tasks. */
  private void awaitIoThreads() throws IOException {
    server.stopListening(limit());
  }

  static Deadline limit() {
    return Deadline.after(LIMIT, Ticker.system());
  }

  long inFlight() {
    return control.gate().inFlight();
  }

  void awaitInFlight(long expected) {
    await().atMost(LIMIT).until(() -> inFlight() == expected);
  }

  /** Waits until {@code requests} were counted in and out again. */
  void awaitCounted(long requests) {
    await()
        .atMost(LIMIT)
        .until(() -> control.started() == requests && control.finished() == requests);
  }

  void awaitConnections(int expected) {
    await().atMost(LIMIT).until(() -> server.connections().size() == expected);
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
