package io.lastcall.spi;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** Whether a client has closed its connection, without reading from it; for adapters. */
public final class EndOfInput {
  private EndOfInput() {}

  /**
   * Returns whether the peer has sent a FIN or a reset, and everything before it has been read. A
   * client that has shut down its output and still reads looks the same. With TLS a close_notify
   * comes before the FIN, so that the answer is false until the server reads that.
   *
   * @param channel in non-blocking mode; other selectors may watch it
   */
  public static boolean isReached(SocketChannel channel) {
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      // Readable, and not one byte is there: asks the kernel, on JDK 17 to 25.
      return selector.selectNow() > 0 && channel.socket().getInputStream().available() == 0;
    } catch (IOException | RuntimeException closed) {
      return !channel.isOpen();
    }
  }
}
