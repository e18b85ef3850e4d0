package io.lastcall.examples.cluster;

import io.lastcall.testing.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Two services, and a client that finds them in a registry. */
public abstract class RegistryTrial implements Trial {
  private final List<Program> running = new ArrayList<>();
  private final List<RegistryReader> readers = new ArrayList<>();

  /** Starts a service, which prints its port when it is registered. */
  protected abstract Program launch() throws Exception;

  /** Returns the port of one of the services that are registered, as the client knows them. */
  protected abstract int nextPort() throws Exception;

  /** Returns when a service left the registry, by the machine's monotonic clock. */
  protected OptionalLong deregistered(Program service, int port) {
    return service.lines("deregistered").stream().mapToLong(Program.Line::nanos).findFirst();
  }

  /** Starts both, and the client. */
  protected final void start() throws Exception {
    running.add(launch());
    running.add(launch());
    for (Program program : running) {
      program.await("registered", 1);
    }
    readers.add(new RegistryReader(this::nextPort));
    reader().await(1, ports());
  }

  private RegistryReader reader() {
    return readers.get(0);
  }

  private List<Integer> ports() {
    return running.stream().map(RegistryTrial::port).toList();
  }

  private static int port(Program program) {
    return Integer.parseInt(program.lines("registered").get(0).subject());
  }

  @Override
  public Outcome shutDown(int number) throws Exception {
    Program service = running.remove(0);
    int port = port(service);
    reader().await(5 + number % 7, List.of(port));
    long sigterm = System.nanoTime();
    service.sigterm();
    int exitCode = service.awaitExit();
    long gone = System.nanoTime();
    service.awaitOutput();
    reader().await(5, ports());
    List<String> wrong = new ArrayList<>(reader().failures(sigterm));
    OptionalLong deregistered = deregistered(service, port);
    if (deregistered.isEmpty()) {
      wrong.add("never deregistered");
    }
    return new Outcome(
        wrong,
        (deregistered.orElse(gone) - sigterm) / 1e6,
        (reader().last(port) - sigterm) / 1e6,
        (gone - sigterm) / 1e6,
        exitCode);
  }

  @Override
  public void restart() throws Exception {
    Program program = launch();
    running.add(program);
    program.await("registered", 1);
    reader().await(1, ports());
  }

  /** Ends a service whose registry is gone, and which has no requests any more. */
  protected final Outcome shutDownOnce() throws Exception {
    reader().close();
    Program service = running.remove(0);
    long sigterm = System.nanoTime();
    service.sigterm();
    int exitCode = service.awaitExit();
    double gone = (System.nanoTime() - sigterm) / 1e6;
    return new Outcome(List.of(), gone, gone, gone, exitCode);
  }

  @Override
  public void close() throws IOException {
    for (RegistryReader reader : readers) {
      reader.close();
    }
    running.forEach(Program::close);
  }
}
