package io.lastcall.faults;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** One fault as it happens: what its parts use, and the order of things. */
final class Run implements AutoCloseable {
  private static final long PART_SECONDS = 30;

  private final Fault fault;
  private final Path folder;
  private final SubjectJvm jvm;
  private final List<AutoCloseable> kept = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool(Run::daemon);
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final List<Future<?>> begun = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile long trigger;

  private Run(Fault fault, Path folder) throws IOException {
    this.fault = fault;
    this.folder = folder;
    this.jvm = SubjectJvm.start(fault, folder);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "part");
    thread.setDaemon(true);
    return thread;
  }

  static Result of(Fault fault, Path folder) throws Exception {
    try (Run run = new Run(fault, folder)) {
      return run.play();
    }
  }

  private Result play() throws Exception {
    jvm.awaitSaid(fault.readyLine, 1);
    for (Fault.Part part : fault.before) {
      part.play(this);
    }
    int port = jvm.port("http").orElse(0);
    try (Load load = new Load(port)) {
      if (fault.requests != Fault.Requests.NONE) {
        load.begin(jvm, fault.requests == Fault.Requests.ARRIVING);
      }
      trigger = System.nanoTime();
      load.triggered(trigger);
      fault.trigger.play(this);
      List<Future<?>> parts = fault.after.stream().<Future<?>>map(this::start).toList();
      boolean killed = !jvm.awaitEnd(trigger + Command.GRACE.toNanos());
      if (killed) {
        jvm.kill();
      }
      int code = jvm.exitCode();
      double seconds = (jvm.gone() - trigger) / 1e9;
      load.finish();
      await(parts);
      await(begun);
      notes.addAll(load.failures());
      List<String> printed = jvm.printed();
      Files.write(folder.resolve("output.txt"), printed);
      Records records = Records.of(printed, folder);
      int sent = load.sent() + asked.get();
      int lost = load.lost() + unanswered.get();
      return new Result(fault, code, killed, seconds, sent, lost, records, notes);
    }
  }

  /** From now on, on a thread of its own, and waited for in the end. */
  void meanwhile(Fault.Part part) {
    begun.add(start(part));
  }

  private Future<?> start(Fault.Part part) {
    return threads.submit(
        () -> {
          part.play(this);
          return null;
        });
  }

  private void await(List<Future<?>> parts) throws InterruptedException {
    for (Future<?> part : parts) {
      try {
        part.get(PART_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        note("part: " + e);
      }
    }
  }

  SubjectJvm jvm() {
    return jvm;
  }

  /** The port of HTTP/1.1. */
  int port() {
    return port("http");
  }

  int port(String name) {
    return jvm.port(name).orElseThrow();
  }

  boolean isAlive() {
    return jvm.isAlive();
  }

  void terminate() {
    jvm.terminate();
  }

  /** Waits for a moment after the trigger, for faults that are about time. */
  void awaitMillisAfterTrigger(long millis) {
    long end = trigger + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  /** For the log of this program, not for the table. */
  void note(String line) {
    notes.add(line);
  }

  /** A connection that stays as it is until the process is gone. */
  Socket open(int port, String text) throws IOException {
    Socket socket = Http.socket(port);
    kept.add(socket);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** An idle connection of a pool: its client closes it once the server does. */
  void openIdle(int port) throws IOException {
    Socket socket = open(port, "");
    threads.execute(
        () -> {
          try (socket) {
            socket.setSoTimeout(0);
            socket.getInputStream().read();
          } catch (IOException e) {
            note("idle connection: " + e);
          }
        });
  }

  /** Sends a request of the fault's own, which nobody waits for. */
  void ask(String path) throws IOException {
    open(port(), "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /** Sends one and waits until it is being served, the n-th that says so. */
  void ask(String path, String line, int times) throws IOException, InterruptedException {
    ask(path);
    jvm.awaitSaid(line, times);
  }

  /** A request that counts: it must be answered. */
  void mustAnswer(int port, String path) {
    count(
        () -> {
          int status = Http.get(port, path).status();
          if (status != 200) {
            throw new IOException("status " + status);
          }
        });
  }

  /** A request that counts: its answer must end as HTTP says, and with these words. */
  void mustStream(String method, String path, String lastWords) {
    count(
        () -> {
          String body = Http.stream(port(), method, path);
          if (!body.endsWith(lastWords)) {
            throw new IOException("a stream without its end, " + lastWords);
          }
        });
  }

  private interface Counted {
    void send() throws IOException;
  }

  private void count(Counted request) {
    asked.incrementAndGet();
    try {
      request.send();
    } catch (IOException | RuntimeException e) {
      unanswered.incrementAndGet();
      note("not answered: " + e);
    }
  }

  /** Pauses between two attempts of a client. */
  void awaitALittle() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
  }

  /** Creates an empty file in the process's folder. */
  void touch(String name) throws IOException {
    Files.createFile(folder.resolve(name));
  }

  /** Deletes a folder in the process's folder. */
  void delete(String name) throws IOException {
    Folders.delete(folder.resolve(name));
  }

  <T extends AutoCloseable> T keep(T resource) {
    kept.add(resource);
    return resource;
  }

  @Override
  public void close() throws IOException {
    jvm.close();
    threads.shutdownNow();
    closeAll();
  }

  /** Closes all that is kept: the connections of the fault's own. */
  void closeAll() {
    for (AutoCloseable resource : kept) {
      try {
        resource.close();
      } catch (Exception e) {
        // Its process is gone, and with it the other end.
        notes.add("close: " + e);
      }
    }
  }
}
