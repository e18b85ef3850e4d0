package io.lastcall.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The process that is broken, with what it says over its control connection and prints. */
final class SubjectJvm implements AutoCloseable {
  /** On a machine that is busy; what has to be fast is measured, not limited by this. */
  private static final long PATIENCE_SECONDS = 60;

  private final Fault fault;
  private final ServerSocket listener;
  private final Process process;
  private final Thread output;
  private final List<String> said = new ArrayList<>();
  private final List<String> printed = new ArrayList<>();
  private final CompletableFuture<Long> gone = new CompletableFuture<>();

  private SubjectJvm(Fault fault, ServerSocket listener, Process process) {
    this.fault = fault;
    this.listener = listener;
    this.process = process;
    this.output = daemon(this::readOutput, "output");
    process.onExit().thenRun(this::ended);
  }

  static SubjectJvm start(Fault fault, Path folder) throws IOException {
    Files.createDirectories(folder);
    ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    ProcessBuilder builder =
        new ProcessBuilder(Command.of(fault, folder, listener.getLocalPort()))
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    // As in a pod: some defaults depend on it.
    builder.environment().put("KUBERNETES_SERVICE_HOST", "10.0.0.1");
    SubjectJvm jvm = new SubjectJvm(fault, listener, builder.start());
    jvm.output.start();
    jvm.daemon(jvm::readControl, "control").start();
    return jvm;
  }

  private void ended() {
    gone.complete(System.nanoTime());
    synchronized (said) {
      said.notifyAll();
    }
  }

  private Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name + " of " + fault);
    thread.setDaemon(true);
    return thread;
  }

  private void readControl() {
    try (Socket control = listener.accept();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(control.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (said) {
          said.add(line);
          said.notifyAll();
        }
      }
    } catch (IOException e) {
      // The process is gone, or was never there; its end is waited for elsewhere.
      print("control: " + e);
    }
  }

  private void readOutput() {
    if (fault.reading == Fault.Reading.NOTHING) {
      return;
    }
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        print(line);
        if (fault.reading == Fault.Reading.SLOWLY && hasSaid("ready")) {
          TimeUnit.MILLISECONDS.sleep(500);
        }
      }
    } catch (IOException e) {
      print("output: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void print(String line) {
    synchronized (printed) {
      printed.add(line);
    }
  }

  /** Closes our end of its output. */
  void closeOutput() throws IOException {
    process.getInputStream().close();
  }

  /** How much of its output waits in the pipe. */
  int unread() throws IOException {
    return process.getInputStream().available();
  }

  boolean hasSaid(String line) {
    synchronized (said) {
      return said.contains(line);
    }
  }

  /** Waits until it has said {@code line} so often. */
  void awaitSaid(String line, int times) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    synchronized (said) {
      while (said.stream().filter(line::equals).count() < times) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0 || !process.isAlive()) {
          throw new IllegalStateException(fault + ": never said '" + line + "'\n" + text());
        }
        said.wait(left);
      }
    }
  }

  /** Returns the port that it has said to have. */
  Optional<Integer> port(String name) {
    String prefix = "port " + name + " ";
    synchronized (said) {
      return said.stream()
          .filter(line -> line.startsWith(prefix))
          .map(line -> Integer.parseInt(line.substring(prefix.length())))
          .findFirst();
    }
  }

  /** The JVM's own, also where a process that made its namespace is its parent. */
  ProcessHandle handle() {
    return fault.pidOne ? process.children().findFirst().orElseThrow() : process.toHandle();
  }

  void terminate() {
    handle().destroy();
  }

  /** Sends a signal so often, as fast as it goes. */
  void signal(String name, int times) throws IOException, InterruptedException {
    String kill =
        "i=0; while [ $i -lt %d ]; do kill -%s %d; i=$((i+1)); done"
            .formatted(times, name, handle().pid());
    new ProcessBuilder("/bin/sh", "-c", kill)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end until then, as {@link System#nanoTime()}; returns whether it came. */
  boolean awaitEnd(long until) throws InterruptedException {
    return process.waitFor(until - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** When it ended, as {@link System#nanoTime()}. */
  long gone() {
    return gone.join();
  }

  void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
  }

  /** What it has printed, once it is gone. */
  List<String> printed() throws InterruptedException {
    if (fault.reading == Fault.Reading.ALL) {
      output.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    }
    synchronized (printed) {
      return List.copyOf(printed);
    }
  }

  /** Returns whether its output has a match so far. */
  boolean hasPrinted(String regex) {
    return Pattern.compile(regex).matcher(text()).find();
  }

  private String text() {
    synchronized (printed) {
      return String.join("\n", printed);
    }
  }

  @Override
  public void close() throws IOException {
    kill();
    listener.close();
  }
}
