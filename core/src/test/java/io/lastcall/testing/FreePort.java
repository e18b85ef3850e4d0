package io.lastcall.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Free ports below the ephemeral range, where no client's own port can take them. */
public final class FreePort {
  private static final int FIRST = 10_000;
  private static final int COUNT = 8_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private static final List<FileChannel> CLAIMS = new CopyOnWriteArrayList<>();

  private FreePort() {}

  /** Returns one that has not been given out before, in this test JVM or in another. */
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
      return probe.isBound() && claim(port);
    } catch (IOException taken) {
      return false;
    }
  }

  /** Other test JVMs pick ports at the same time: the lock is this one's until it exits. */
  private static boolean claim(int port) throws IOException {
    Path file = Path.of(System.getProperty("java.io.tmpdir"), "lastcall-test-port-" + port);
    FileChannel claim = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (claim.tryLock() == null) {
      claim.close();
      return false;
    }
    return CLAIMS.add(claim);
  }
}
