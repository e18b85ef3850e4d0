package io.lastcall.forked;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.io.File;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Permission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/**
 * The main of the forked JVMs: one scenario each, named by the first argument. Its grace period is
 * short, 4 s: halted after 3 s.
 */
final class Victim {
  private static final List<byte[]> HEAP = new ArrayList<>();

  private Victim() {}

  public static void main(String[] arguments) throws Exception {
    GracefulShutdownBuilder builder =
        GracefulShutdown.builder()
            .gracePeriod(Duration.ofSeconds(4))
            .server(new NoConnections())
            .step(Phase.CLOSE_CONNECTIONS, "pool", context -> log("pool closed"));
    switch (arguments[0]) {
      case "clean" -> clean(builder);
      case "exit-refused" -> {
        refuseExits();
        clean(builder);
      }
      case "slow" -> slow(builder);
      case "looping-step" -> loopingStep(builder);
      case "hanging-hook" -> hangingHook(builder);
      case "endless-request" -> endlessRequest(builder);
      case "full-heap" -> fullHeap(builder);
      case "full-heap-alone" -> fullHeapAlone(builder);
      case "no-threads" -> noThreads(builder);
      case "foreign-exit" -> foreignExit(builder);
      case "exit-in-request" -> exitInRequest(builder);
      case "daemons-only" -> daemonsOnly(builder);
      case "not-started" -> notStarted(builder);
      case "class-path-gone" -> classPathGone();
      case "blocked-log" -> blockedLog(builder);
      case "job" -> job();
      case "installing" -> builder.install();
      case "taken" -> taken(builder);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  /** In order with the library's lines, which its own thread writes. */
  private static void log(String line) {
    ShutdownLog.write(() -> say(line));
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static void serve() throws InterruptedException {
    say("ready");
    new CountDownLatch(1).await();
  }

  /** What a launcher does that closes the application's class loader behind its main. */
  private static void classPathGone() throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader application =
        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Method main =
          application.loadClass(Victim.class.getName()).getDeclaredMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) new String[] {"installing"});
    }
    serve();
  }

  private static void hook(Runnable body) {
    Runtime.getRuntime().addShutdownHook(new Thread(body, "somebody's hook"));
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      say("interrupted");
    }
  }

  private static void clean(GracefulShutdownBuilder builder) throws Exception {
    hook(() -> say("other hook"));
    builder.step(Phase.EXIT, "flush", context -> log("flushed")).install();
    serve();
  }

  /** As Java before 24 allows. */
  @SuppressWarnings("removal")
  private static void refuseExits() {
    System.setSecurityManager(
        new SecurityManager() {
          @Override
          public void checkPermission(Permission permission) {
            if (permission.getName().startsWith("exitVM")) {
              throw new SecurityException("no exit");
            }
          }
        });
  }

  private static void slow(GracefulShutdownBuilder builder) throws Exception {
    builder
        .step(
            Phase.DRAIN,
            "slow",
            context -> {
              say("draining");
              awaitNewline();
            })
        .install();
    serve();
  }

  private static void awaitNewline() throws Exception {
    while (System.in.read() != '\n') {
      say("not yet");
    }
  }

  private static void loopingStep(GracefulShutdownBuilder builder) throws Exception {
    builder
        .step(Step.of(Phase.DRAIN, "loop", Victim::loop).withTimeout(Duration.ofMillis(300)))
        .install();
    serve();
  }

  @SuppressWarnings("InfiniteLoop")
  private static void loop(StepContext context) {
    long spins = 0;
    while (true) {
      spins++;
      if (spins < 0) {
        say("overflow");
      }
    }
  }

  private static void hangingHook(GracefulShutdownBuilder builder) throws Exception {
    hook(() -> sleep(Duration.ofDays(1)));
    builder.install();
    serve();
  }

  /** Fills the pipe that standard error is, and keeps its lock, as a log call there does. */
  private static void blockedLog(GracefulShutdownBuilder builder) throws Exception {
    TestPermit slow = new TestPermit("GET /slow", Thread.currentThread());
    builder.step(Phase.DRAIN, "slow ends", context -> slow.release());
    builder.install().gate().enter(slow);
    AtomicLong lines = new AtomicLong();
    Thread writer = new Thread(() -> writeLines(lines), "writer");
    writer.setDaemon(true);
    writer.start();
    AtomicLong before = new AtomicLong();
    Awaitility.await().until(() -> lines.get() > 0 && before.getAndSet(lines.get()) == lines.get());
    Files.createFile(Path.of(System.getProperty("ready")));
    new CountDownLatch(1).await();
  }

  @SuppressWarnings("InfiniteLoop")
  private static void writeLines(AtomicLong lines) {
    while (true) {
      System.err.println("a line that nobody reads");
      lines.getAndIncrement();
    }
  }

  private static void job() throws Exception {
    GracefulShutdown.builder()
        .step(Phase.KEEP_SERVING, "checkpoint", context -> log("checkpoint"))
        .install();
    serve();
  }

  private static void endlessRequest(GracefulShutdownBuilder builder) throws Exception {
    GracefulShutdown shutdown = builder.install();
    enter(shutdown, "GET /endless");
    serve();
  }

  private static void enter(GracefulShutdown shutdown, String what) {
    if (!shutdown.gate().enter(new TestPermit(what, Thread.currentThread()))) {
      say("refused");
    }
  }

  private static void fullHeap(GracefulShutdownBuilder builder) throws Exception {
    builder.step(Phase.DRAIN, "leak", context -> fillHeap(() -> {})).install();
    serve();
  }

  /** The last thread that is no daemon ends of it, as a server's may: nothing but ours is left. */
  private static void fullHeapAlone(GracefulShutdownBuilder builder) {
    CountDownLatch full = new CountDownLatch(1);
    builder
        .propagationDelay(Duration.ofMillis(500))
        .step(Phase.KEEP_SERVING, "leak", context -> fillHeap(full::countDown))
        .install();
    new Thread(() -> awaitUninterrupted(full), "worker").start();
    say("ready");
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("InfiniteLoop")
  private static void fillHeap(Runnable whenFull) {
    int size = 1 << 20;
    say("filling");
    while (true) {
      try {
        HEAP.add(new byte[size]);
      } catch (OutOfMemoryError e) {
        if (size == 16) {
          whenFull.run();
        }
        size = Math.max(16, size / 2);
      }
    }
  }

  private static void noThreads(GracefulShutdownBuilder builder) throws Exception {
    // Long enough for the step to be at work when it times out.
    builder
        .propagationDelay(Duration.ofSeconds(1))
        .step(Phase.KEEP_SERVING, "bomb", context -> startThreads())
        .install();
    serve();
  }

  @SuppressWarnings("InfiniteLoop")
  private static void startThreads() {
    boolean said = false;
    while (true) {
      Thread thread = new Thread(() -> sleep(Duration.ofDays(1)), "bomb");
      thread.setDaemon(true);
      try {
        thread.start();
      } catch (OutOfMemoryError e) {
        if (!said) {
          said = true;
          say("no thread is left");
        }
      }
    }
  }

  private static void foreignExit(GracefulShutdownBuilder builder) throws Exception {
    builder.step(Phase.DRAIN, "consumers", context -> log("consumers stopped")).install();
    say("ready");
    System.exit(7);
  }

  private static void exitInRequest(GracefulShutdownBuilder builder) throws Exception {
    GracefulShutdown shutdown = builder.install();
    enter(shutdown, "GET /exit");
    say("ready");
    System.exit(7);
  }

  private static void daemonsOnly(GracefulShutdownBuilder builder) throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    builder
        .cleanExitCode(143)
        .step(
            Phase.KEEP_SERVING,
            "main returns",
            context -> {
              leave.countDown();
              Thread.currentThread().getThreadGroup().interrupt();
              if (!Thread.interrupted()) {
                say("nobody was interrupted");
              }
              sleep(Duration.ofMillis(500));
              say("still there");
            })
        .install();
    say("ready");
    leave.await();
  }

  private static void notStarted(GracefulShutdownBuilder builder) throws Exception {
    hook(() -> say("other hook"));
    builder.awaitStarted().install();
    serve();
  }

  private static void taken(GracefulShutdownBuilder builder) throws Exception {
    takeTerm();
    builder.install();
    serve();
  }

  /** Reflectively: javac warns of every direct use of sun.misc. */
  private static void takeTerm() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object handler =
        Proxy.newProxyInstance(
            Victim.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (self, method, parameters) -> {
              System.exit(3);
              return null;
            });
    Object term = type.getConstructor(String.class).newInstance("TERM");
    type.getMethod("handle", type, handlerType).invoke(null, term, handler);
  }

  /** Makes the process a service, for the exit code and the delay. */
  private static final class NoConnections implements DrainableServer {
    @Override
    public String name() {
      return "no connections";
    }

    @Override
    public List<HttpConnection> connections() {
      return List.of();
    }

    @Override
    public void stopListening(Deadline deadline) {}

    @Override
    public CompletionStage<?> connectionsEnded() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void stop(Deadline deadline) {}
  }
}
