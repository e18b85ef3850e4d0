package io.lastcall.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the applications answer: a request for /wait is answered once another for /go has come. */
final class Rendezvous {
  private static final CountDownLatch GO = new CountDownLatch(1);

  private Rendezvous() {}

  static String answer(String path) {
    switch (path) {
      case "/wait" -> {
        System.out.println("waits");
        await();
      }
      case "/go" -> GO.countDown();
      default -> {
        // At once.
      }
    }
    return "answered " + path;
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
