package io.lastcall.publish;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The message that {@code kubectl describe pod} shows. The kubelet mounts its file into every
 * container; where it is missing nothing is written.
 */
public final class TerminationMessage {
  /** The kubelet reads no more of it: Kubernetes API, Container, terminationMessagePath. */
  static final int MAX_BYTES = 4096;

  private TerminationMessage() {}

  /** Leaves a message, as far as the file is there and can be written. */
  public static void leave(Path file, String message) {
    StatusFile.existing(file).write(bytes(message));
  }

  /** Cuts between characters: half a character is shown as garbage. */
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
