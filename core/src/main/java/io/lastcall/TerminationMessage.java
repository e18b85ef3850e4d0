package io.lastcall;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last words that {@code kubectl describe pod} shows. The kubelet mounts the file into every
 * container; where it is missing this does nothing.
 */
final class TerminationMessage {
  private static final Logger log = LoggerFactory.getLogger(TerminationMessage.class);

  /** The default of {@code terminationMessagePath}, Kubernetes API, Container. */
  private static final Path DEFAULT_PATH = Path.of("/dev/termination-log");

  /** The kubelet reads no more of it. */
  private static final int MAX_BYTES = 4096;

  private TerminationMessage() {}

  static void write(String message) {
    write(message, DEFAULT_PATH);
  }

  static void write(String message, Path path) {
    if (!Files.isWritable(path)) {
      return;
    }
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    byte[] start = Arrays.copyOf(bytes, Math.min(bytes.length, MAX_BYTES));
    try (SeekableByteChannel file =
        Files.newByteChannel(
            path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      file.write(ByteBuffer.wrap(start));
    } catch (IOException e) {
      log.warn("Could not write {}", path, e);
    }
  }
}
