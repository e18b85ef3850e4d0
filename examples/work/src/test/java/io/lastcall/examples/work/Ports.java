package io.lastcall.examples.work;

import java.io.IOException;
import java.net.ServerSocket;

/** For brokers that cannot say which port the kernel has picked. */
public final class Ports {
  private Ports() {}

  public static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
