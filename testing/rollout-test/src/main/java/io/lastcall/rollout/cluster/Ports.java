package io.lastcall.rollout.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports below the ephemeral range, each given out once. Inside that range a client's own port
 * could take a pod's before it binds, and a connect to a dead pod could even meet itself.
 */
public final class Ports {
  private static final int FIRST = 18_000;
  private static final int COUNT = 12_000;
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private Ports() {}

  public static int next() throws IOException {
    for (int attempt = 0; attempt < COUNT; attempt++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress((InetAddress) null, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
