package io.lastcall.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports below the ephemeral range, where no client's own port can take them. */
public final class FreePort {
  private static final int FIRST = 10_000;
  private static final int COUNT = 8_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private FreePort() {}

  /** Returns one that has not been given out before, in this JVM. */
  public static int next() {
    for (int attempt = 0; attempt < COUNT; attempt++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new UncheckedIOException(new IOException("no free port"));
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port)) {
      return probe.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
