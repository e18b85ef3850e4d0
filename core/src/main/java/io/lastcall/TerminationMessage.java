package io.lastcall;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The last words that {@code kubectl describe pod} shows. The kubelet mounts the file into every
 * container; where it is missing nothing is written.
 */
final class TerminationMessage {
  /** The default of {@code terminationMessagePath}, Kubernetes API, Container. */
  static final Path DEFAULT_PATH = Path.of("/dev/termination-log");

  /** The kubelet reads no more of it: Kubernetes API, Container, terminationMessagePath. */
  static final int MAX_BYTES = 4096;

  private TerminationMessage() {}

  /** Cuts between characters: a half one would be shown as garbage. */
  static byte[] bytes(String message) {
    byte[] utf8 = message.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= MAX_BYTES) {
      return utf8;
    }
    int end = MAX_BYTES;
    while ((utf8[end] & 0xC0) == 0x80) {
      end--; // a continuation byte: its character began before it
    }
    return Arrays.copyOf(utf8, end);
  }
}
