package io.lastcall.faults.subject;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A line to the program that started this process. Thread-safe. */
final class Control {
  private final OutputStream out;

  private Control(OutputStream out) {
    this.out = out;
  }

  static Control connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    return new Control(socket.getOutputStream());
  }

  synchronized void say(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("The program that started this process is gone", e);
    }
  }
}
