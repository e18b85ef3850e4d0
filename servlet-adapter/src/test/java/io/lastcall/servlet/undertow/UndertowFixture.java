package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.servlet.ContainerFixture;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/** A real Undertow. */
final class UndertowFixture extends ContainerFixture implements AutoCloseable {
  private static final int IO_THREADS = 2;

  final DeploymentInfo deployment =
      Servlets.deployment()
          .setClassLoader(UndertowFixture.class.getClassLoader())
          .setContextPath("/")
          .setDeploymentName("test");
  final XnioWorker worker;
  final UndertowServer server;
  private int port;
  private HttpHandler root = exchange -> {};

  UndertowFixture() throws IOException {
    this(OptionMap.EMPTY, 8);
  }

  UndertowFixture(OptionMap options, int workers) throws IOException {
    worker = worker(workers);
    server = new UndertowServer(worker, filter, options);
    addFilter("shutdown", filter, DispatcherType.values());
  }

  /** Awaits first requests by {@code firstRequests}; knows of no streams. */
  UndertowFixture(OptionMap options, Supplier<FirstRequest> firstRequests) throws IOException {
    worker = worker(8);
    server = new UndertowServer(worker, filter.gate(), options, firstRequests);
    addFilter("shutdown", filter, DispatcherType.values());
  }

  private static XnioWorker worker(int workers) throws IOException {
    return Xnio.getInstance()
        .createWorker(
            OptionMap.builder()
                .set(Options.WORKER_NAME, "undertow")
                .set(Options.WORKER_IO_THREADS, IO_THREADS)
                .set(Options.WORKER_TASK_CORE_THREADS, workers)
                .set(Options.WORKER_TASK_MAX_THREADS, workers)
                .getMap());
  }

  @Override
  public UndertowServer server() {
    return server;
  }

  @Override
  public UndertowFixture addFilter(String name, Filter added, DispatcherType... types) {
    deployment.addFilter(
        new FilterInfo(name, added.getClass(), new ImmediateInstanceFactory<>(added))
            .setAsyncSupported(true));
    for (DispatcherType type : types) {
      deployment.addFilterUrlMapping(name, "/*", type);
    }
    return this;
  }

  @Override
  public UndertowFixture addFirst(String name, Filter added, DispatcherType... types) {
    addFilter(name, added);
    for (DispatcherType type : types) {
      deployment.insertFilterUrlMapping(0, name, "/*", type);
    }
    return this;
  }

  @Override
  protected void addServlet(HttpServlet servlet, String... paths) {
    deployment.addServlet(
        Servlets.servlet(paths[0], servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
            .setAsyncSupported(true)
            .addMappings(paths));
  }

  @Override
  public UndertowFixture addErrorPage(int status, String path) {
    deployment.addErrorPage(new ErrorPage(path, status));
    return this;
  }

  @Override
  public UndertowFixture start() throws Exception {
    return start(null);
  }

  UndertowFixture start(@Nullable SSLContext tls) throws Exception {
    DeploymentManager manager = Servlets.newContainer().addDeployment(deployment);
    manager.deploy();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    root = manager.start();
    port = server.listen(any, root, tls).getPort();
    return this;
  }

  /** Has another server serve the same deployment; returns its port. */
  int startOn(UndertowServer other) throws IOException {
    return other.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), root).getPort();
  }

  @Override
  public int port() {
    return port;
  }

  /** Returns behind what is to run there within {@code millis}. */
  void passOnIoThreads(int millis) throws InterruptedException {
    CountDownLatch passed = new CountDownLatch(IO_THREADS);
    for (int i = 0; i < IO_THREADS; i++) {
      worker.getIoThread(i).executeAfter(passed::countDown, millis, TimeUnit.MILLISECONDS);
    }
    passed.await();
  }

  @Override
  protected <T> T whileNobodyReads(Callable<T> action) throws Exception {
    CountDownLatch blocked = new CountDownLatch(IO_THREADS);
    CountDownLatch goOn = new CountDownLatch(1);
    for (int i = 0; i < IO_THREADS; i++) {
      worker.getIoThread(i).execute(() -> block(blocked, goOn));
    }
    try {
      blocked.await();
      return action.call();
    } finally {
      goOn.countDown();
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
  }
}
