package io.lastcall.servlet.contract;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A network that delivers a part of what is written later. */
public final class HeldBackSocket extends Socket {
  private final Part first;
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
  private boolean holding;

  /** How many of {@code length} bytes are delivered at once. */
  @FunctionalInterface
  public interface Part {
    int of(int length);
  }

  public HeldBackSocket(int port, Part first) throws IOException {
    super(InetAddress.getLoopbackAddress(), port);
    this.first = first;
    setTcpNoDelay(true);
  }

  public synchronized void holdBack() {
    holding = true;
  }

  public synchronized void letGo() throws IOException {
    holding = false;
    super.getOutputStream().write(rest.toByteArray());
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        synchronized (HeldBackSocket.this) {
          int now = holding ? first.of(length) : length;
          out.write(bytes, offset, now);
          rest.write(bytes, offset + now, length - now);
        }
      }
    };
  }
}
