package io.lastcall.examples.takers;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** A piece of work takes its time, and says when it begins and ends, with a monotonic clock. */
@Component
final class Pieces {
  private final Duration time;

  Pieces(@Value("${piece.time}") Duration time) {
    this.time = time;
  }

  @EventListener(ApplicationReadyEvent.class)
  void ready() {
    say("started", "service");
  }

  void work(String piece) {
    say("taken", piece);
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      say("interrupted", piece);
      throw new IllegalStateException(e);
    }
    say("done", piece);
  }

  private static void say(String what, String piece) {
    System.out.println(what + " " + piece + " " + System.nanoTime());
  }
}
