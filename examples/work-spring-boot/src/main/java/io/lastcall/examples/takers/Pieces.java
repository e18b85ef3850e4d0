package io.lastcall.examples.takers;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A piece of work takes its time, and says when it begins and ends. */
@Component
final class Pieces {
  private final Duration time;

  Pieces(@Value("${piece.time}") Duration time) {
    this.time = time;
  }

  void work(String piece) {
    System.out.println("begun " + piece);
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      System.out.println("interrupted " + piece);
      throw new IllegalStateException(e);
    }
    System.out.println("ended " + piece);
  }
}
