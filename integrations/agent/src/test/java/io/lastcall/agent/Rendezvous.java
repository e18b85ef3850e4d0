package io.lastcall.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What the applications answer: a request for /wait is answered once another for /go has come, one
 * for /hold once a line has come on standard input.
 */
final class Rendezvous {
  private static final CountDownLatch GO = new CountDownLatch(1);

  private Rendezvous() {}

  static String answer(String path) {
    switch (path) {
      case "/wait" -> {
        System.out.println("waits");
        await();
      }
      case "/hold" -> {
        System.out.println("holds");
        awaitLine();
      }
      case "/go" -> GO.countDown();
      default -> {
        // At once.
      }
    }
    return "answered " + path;
  }

  private static void awaitLine() {
    try {
      if (System.in.read() < 0) {
        throw new IllegalStateException("standard input has ended");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await() {
    try {
      if (!GO.await(2, TimeUnit.MINUTES)) {
        throw new IllegalStateException("nobody came");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
