package io.lastcall.examples.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A client that finds the services in a registry, and asks them one after another. */
public final class RegistryReader implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Callable<Integer> nextPort;
  private final List<Answer> answers = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "reader");
  private volatile boolean stopped;

  /** Why it asks no more. Guarded by the answers. */
  private @Nullable Exception failure;

  /**
   * @param text the status, or the failure
   */
  private record Answer(int port, String text, long nanos) {}

  /**
   * Begins to ask.
   *
   * @param nextPort the port of one of the services, as this client knows them
   */
  public RegistryReader(Callable<Integer> nextPort) {
    this.nextPort = nextPort;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!stopped) {
        int port = nextPort.call();
        String text = ask(port);
        synchronized (answers) {
          answers.add(new Answer(port, text, System.nanoTime()));
          answers.notifyAll();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (Exception e) {
      synchronized (answers) {
        failure = e;
        answers.notifyAll();
      }
    }
  }

  private String ask(int port) throws InterruptedException {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
      return Integer.toString(
          client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Waits until each of these has answered a number of times from now on. */
  public void await(int number, List<Integer> ports) throws InterruptedException {
    long since = System.nanoTime();
    synchronized (answers) {
      while (!ports.stream().allMatch(port -> count(port, since) >= number)) {
        if (failure != null) {
          throw new IllegalStateException("The client asks no more", failure);
        }
        answers.wait();
      }
    }
  }

  private long count(int port, long since) {
    return answers.stream().filter(it -> it.port == port && it.nanos > since).count();
  }

  /** Returns what was no success since then. */
  public List<String> failures(long since) {
    synchronized (answers) {
      return answers.stream()
          .filter(answer -> answer.nanos > since && !answer.text.equals("204"))
          .map(Answer::toString)
          .toList();
    }
  }

  /** Returns when a service answered last. */
  public long last(int port) {
    synchronized (answers) {
      return answers.stream()
          .filter(answer -> answer.port == port)
          .mapToLong(Answer::nanos)
          .max()
          .orElse(0);
    }
  }

  @Override
  public void close() {
    stopped = true;
  }
}
