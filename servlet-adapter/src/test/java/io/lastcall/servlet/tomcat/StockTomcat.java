package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.orders.OrderServlet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat as it is downloaded, started by its own script, in a JVM of its own: our jars in its
 * {@code lib}, our listener in its {@code server.xml}, one application without a {@code web.xml}.
 */
final class StockTomcat implements AutoCloseable {
  private static final Pattern PORT = Pattern.compile("Starting ProtocolHandler .*-(\\d+)\"");

  private final Path base;
  private final Process process;
  private final BufferedReader output;
  private final int port;

  /**
   * @param base an empty folder
   */
  StockTomcat(Path base) throws Exception {
    this.base = base;
    String home = System.getProperty("tomcat.home");
    assertNotNull(home, "tomcat.home");
    copyTree(Path.of(home, "conf"), base.resolve("conf"));
    try (InputStream xml = StockTomcat.class.getResourceAsStream("server.xml")) {
      assertNotNull(xml);
      Files.write(base.resolve("conf/server.xml"), xml.readAllBytes());
    }
    Files.createDirectories(base.resolve("temp"));
    fillLib();
    deploy(OrderServlet.class);
    process = start(home);
    output = process.inputReader(StandardCharsets.UTF_8);
    port = awaitStarted();
  }

  private void fillLib() throws Exception {
    for (Class<?> type :
        List.of(
            GracefulShutdown.class,
            LastcallListener.class,
            Logger.class,
            LoggerFactory.getILoggerFactory().getClass())) {
      Path origin = origin(type);
      if (Files.isDirectory(origin)) {
        copyTree(origin, base.resolve("lib"));
      } else {
        Files.createDirectories(base.resolve("lib"));
        Files.copy(origin, base.resolve("lib").resolve(origin.getFileName()));
      }
    }
  }

  /** The package of {@code type} is the application. */
  private void deploy(Class<?> type) throws Exception {
    String folder = type.getPackageName().replace('.', '/');
    copyTree(
        origin(type).resolve(folder), base.resolve("webapps/ROOT/WEB-INF/classes").resolve(folder));
  }

  /** A folder of classes, or a jar. */
  private static Path origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path copy = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(path, copy);
        }
      }
    }
  }

  private Process start(String home) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", Path.of(home, "bin/catalina.sh").toString(), "run");
    builder.environment().keySet().removeIf(name -> name.startsWith("CATALINA_"));
    builder
        .environment()
        .putAll(
            Map.of(
                "CATALINA_HOME",
                home,
                "CATALINA_BASE",
                base.toString(),
                "CATALINA_OPTS",
                "-Duser.language=en -XX:TieredStopAtLevel=1",
                "JRE_HOME",
                System.getProperty("java.home"),
                "LASTCALL_PROPAGATION_DELAY",
                "0s"));
    return builder.redirectErrorStream(true).start();
  }

  private int awaitStarted() throws IOException {
    int found = 0;
    StringBuilder lines = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.append(line).append('\n');
      Matcher matcher = PORT.matcher(line);
      if (matcher.find()) {
        found = Integer.parseInt(matcher.group(1));
      }
      if (line.contains("Server startup in")) {
        return found;
      }
    }
    throw new IOException("It ended before it was started:\n" + lines);
  }

  int port() {
    return port;
  }

  /** Not {@link Process#destroy()}, which closes the output too. */
  void sigterm() {
    process.toHandle().destroy();
  }

  /** Returns what it has printed since it was started. */
  List<String> awaitEnd() throws InterruptedException {
    List<String> lines = output.lines().toList();
    process.waitFor(60, TimeUnit.SECONDS);
    return lines;
  }

  int exitCode() {
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
