import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Starts each consumer on each JDK, asks it something, and stops it by SIGTERM. */
final class StopEach {
  private static final int SECONDS = 120;

  private static final String EXAMPLES = "io.lastcall.examples.";
  private static final String PLAN = "grace-period";
  private static final String CLEAN = "Shutdown clean";
  private static final String JOB = EXAMPLES + "work.quickstart.NightlyJob";
  private static final String ORDERS = "com.example.orders.Orders";
  private static final String MODULE = "com.example.orders";
  private static final List<Consumer> CONSUMERS =
      List.of(
          new Consumer("core", EXAMPLES + "work.quickstart.Consumer", Ready.LOG, PLAN, 0, CLEAN),
          new Consumer("job", JOB, Ready.LOG, "processed", 75, "to go on at"),
          new Consumer("servlet", EXAMPLES + "tomcat.Quickstart", Ready.PAGE, PLAN, 0, CLEAN),
          new Consumer("netty", EXAMPLES + "netty.Quickstart", Ready.PAGE, PLAN, 0, CLEAN),
          new Consumer("grpc", EXAMPLES + "grpc.Quickstart", Ready.PROBE_PORT, PLAN, 0, CLEAN),
          new Consumer("spring-boot-3", ORDERS, Ready.PAGE, PLAN, 0, CLEAN),
          new Consumer("spring-boot-4", ORDERS, Ready.PAGE, PLAN, 0, CLEAN),
          // It has no server, so that it ends with the signal's code, and it does not log.
          new Consumer("module-path", MODULE, Ready.PROBE_PORT, "", 143, "pool closed"),
          new Consumer("gradle", EXAMPLES + "work.quickstart.Consumer", Ready.LOG, PLAN, 0, CLEAN));

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private StopEach() {}

  /** What shows that it runs, besides its first output. */
  enum Ready {
    LOG,
    PROBE_PORT,
    PAGE
  }

  record Consumer(String name, String main, Ready ready, String first, int exitCode, String last) {}

  /**
   * @param javas the {@code java} of each JDK
   */
  public static void main(String[] javas) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> runs = new ArrayList<>();
    for (String java : javas) {
      for (Consumer consumer : CONSUMERS) {
        // Only Gradle may be missing.
        if (!consumer.name().equals("gradle") || Files.isDirectory(classes(consumer))) {
          runs.add(threads.submit(() -> stop(java, consumer)));
        }
      }
    }
    threads.shutdown();
    int failed = 0;
    for (Future<?> run : runs) {
      try {
        run.get();
      } catch (ExecutionException e) {
        failed++;
        System.out.println(e.getCause());
      }
    }
    System.out.println((runs.size() - failed) + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static Path classes(Consumer consumer) {
    boolean gradle = consumer.name().equals("gradle");
    return Path.of(consumer.name(), gradle ? "build/install/orders/lib" : "target/classes");
  }

  private static Void stop(String java, Consumer consumer) throws Exception {
    int port;
    int probes;
    try (ServerSocket free = new ServerSocket(0);
        ServerSocket another = new ServerSocket(0)) {
      port = free.getLocalPort();
      probes = another.getLocalPort();
    }
    Path log = Files.createTempFile(Path.of("target"), consumer.name() + "-", ".log");
    List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1"));
    command.add("-Dport=" + port);
    command.add("-Dserver.port=" + port);
    if (consumer.ready() == Ready.PROBE_PORT) {
      command.add("-Dlastcall.probe-port=" + probes);
    } else {
      probes = port;
    }
    if (consumer.name().equals("module-path")) {
      command.addAll(List.of("--module-path", classPath(consumer), "--module"));
      command.add(consumer.main() + "/" + consumer.main() + ".Orders");
    } else {
      command.addAll(List.of("-cp", classPath(consumer), consumer.main()));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.matches("(LASTCALL|KUBERNETES)_.*"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      awaitReady(consumer, process, probes, log);
      if (consumer.ready() == Ready.PAGE) {
        String page = get(port, "/").body();
        check(page.strip().equals("hello"), consumer, log, "answered " + page);
      }
      long begun = System.nanoTime();
      process.destroy();
      boolean gone = process.waitFor(SECONDS, TimeUnit.SECONDS);
      check(gone, consumer, log, "has not ended");
      int code = process.exitValue();
      check(code == consumer.exitCode(), consumer, log, "exit code " + code);
      boolean last = Files.readString(log).contains(consumer.last());
      check(last, consumer, log, "has not said: " + consumer.last());
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      System.out.printf(
          "%-14s exit code %3d after %4d ms  %s%n", consumer.name(), code, millis, java);
    } finally {
      process.destroyForcibly();
    }
    return null;
  }

  private static String classPath(Consumer consumer) throws IOException {
    if (consumer.name().equals("gradle")) {
      return classes(consumer) + "/*";
    }
    return classes(consumer)
        + ":"
        + Files.readString(Path.of(consumer.name(), "target", "classpath")).strip();
  }

  private static void awaitReady(Consumer consumer, Process process, int port, Path log)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!isReady(consumer, port, log)) {
      check(process.isAlive(), consumer, log, "has ended before it was ready");
      check(System.nanoTime() < deadline, consumer, log, "is not ready");
      Thread.sleep(50);
    }
  }

  private static boolean isReady(Consumer consumer, int port, Path log) throws Exception {
    if (!Files.readString(log).contains(consumer.first())) {
      return false;
    }
    if (consumer.ready() == Ready.LOG) {
      return true;
    }
    try {
      return get(port, "/readyz").statusCode() == 200;
    } catch (ConnectException e) {
      return false;
    }
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static void check(boolean holds, Consumer consumer, Path log, String problem)
      throws IOException {
    if (!holds) {
      throw new IOException(consumer.name() + " " + problem + "\n" + Files.readString(log));
    }
  }
}
