package io.lastcall.examples.takers;

import io.lastcall.testing.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A database's server, which says how many connections of the service are open. */
final class Database implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

  private final String url;
  private final String question;
  private final Runnable stop;
  private @Nullable Connection own;

  private Database(String url, String question, Runnable stop) {
    this.url = url;
    this.question = question;
    this.stop = stop;
  }

  /** H2's, within this JVM. */
  static Database h2() throws SQLException {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    return new Database(
        "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:orders",
        "select count(*) - 1 from information_schema.sessions",
        server::stop);
  }

  /** PostgreSQL's, of the newest version that Debian's package has put here. */
  static Optional<Path> postgresPrograms() throws IOException {
    if (!Files.isDirectory(DEBIAN)) {
      return Optional.empty();
    }
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  /**
   * PostgreSQL's. It does not run as root: in that case it runs as the user that Debian's package
   * has made. It takes no port 0.
   */
  static Database postgres(Path programs) throws IOException, InterruptedException {
    boolean root = "root".equals(System.getProperty("user.name"));
    List<String> user = root ? List.of("runuser", "-u", "postgres", "--") : List.of();
    Path folder = Files.createTempDirectory(Path.of("/tmp"), "lastcall-postgres");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path data = folder.resolve("data");
    run(user, programs.resolve("initdb"), "-D", data, "-U", "orders", "-A", "trust", "-N");
    int port = FreePort.next();
    Process server =
        start(user, programs.resolve("postgres"), "-D", data, "-p", port, "-h", "127.0.0.1")
            .start();
    return new Database(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
        "select count(*) from pg_stat_activity"
            + " where backend_type = 'client backend' and pid <> pg_backend_pid()",
        () -> {
          server.destroy();
          server.onExit().join();
          FileSystemUtils.deleteRecursively(folder.toFile());
        });
  }

  private static ProcessBuilder start(List<String> user, Object... words) {
    List<String> command = new ArrayList<>(user);
    Stream.of(words).map(Object::toString).forEach(command::add);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  private static void run(List<String> user, Object... words)
      throws IOException, InterruptedException {
    int status = start(user, words).start().waitFor();
    if (status != 0) {
      throw new IllegalStateException(List.of(words) + " ended with " + status);
    }
  }

  String url() {
    return url;
  }

  /** Returns how many connections are open, this one's excepted. */
  int open() throws SQLException {
    Connection connection = own;
    if (connection == null) {
      connection = DriverManager.getConnection(url, "orders", "");
      own = connection;
    }
    try (Statement statement = connection.createStatement();
        ResultSet counted = statement.executeQuery(question)) {
      counted.next();
      return counted.getInt(1);
    }
  }

  void awaitStarted() {
    Awaitility.await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> open() == 0);
  }

  @Override
  public void close() throws SQLException {
    if (own != null) {
      own.close();
    }
    stop.run();
  }
}
