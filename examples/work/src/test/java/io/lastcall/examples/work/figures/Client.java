package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.Backlog;
import io.lastcall.examples.work.ServerBinary;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * A client library: its broker, the two programs, and what holds for the first one.
 *
 * @param withoutOptions of the JVM that runs the program without Lastcall
 * @param isRecord whether a record may begin later than {@link Row#LATEST_MILLIS} after SIGTERM, if
 *     it is the only one that begins after it
 * @param exitCode of the program with Lastcall
 */
public record Client(
    String name,
    Callable<Backlog> backlog,
    Class<?> program,
    Class<?> without,
    List<String> withoutOptions,
    boolean isRecord,
    int exitCode) {

  /** Creates one that exits with 0, and that nothing is late for. */
  public Client(String name, Callable<Backlog> backlog, Class<?> program, Class<?> without) {
    this(name, backlog, program, without, List.of(), false, 0);
  }

  /** Returns the same, whose other program is its own with options of the JVM. */
  public Client withoutOptions(String... options) {
    return new Client(name, backlog, program, without, List.of(options), isRecord, exitCode);
  }

  /** Returns the same, of which one record may begin late: Kafka. */
  public Client oneRecord() {
    return new Client(name, backlog, program, without, withoutOptions, true, exitCode);
  }

  /** Returns the same with another exit code. */
  public Client exitCode(int code) {
    return new Client(name, backlog, program, without, withoutOptions, isRecord, code);
  }

  /** Returns the server that it needs and that this machine lacks. */
  Optional<ServerBinary> missing() {
    return Stream.of("redis-server", "nats-server")
        .map(ServerBinary::new)
        .filter(server -> server.name().startsWith(name) && !server.isInstalled())
        .findFirst();
  }
}
