package io.lastcall.publish;

import io.lastcall.process.ShutdownLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds one message, the latest. A failure to write it is logged and changes nothing.
 * Thread-safe.
 */
final class StatusFile {
  private static final Logger log = LoggerFactory.getLogger(StatusFile.class);

  private final Path path;
  private final Set<OpenOption> options;

  /** What the file holds, as far as it is ours. */
  private byte[] holds = {};

  private StatusFile(Path path, StandardOpenOption... options) {
    this.path = path;
    this.options = Set.of(options);
  }

  /** A file that is created if it is not there. */
  static StatusFile in(Path path) {
    return new StatusFile(
        path,
        StandardOpenOption.WRITE,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** A file that the kubelet has made; without it nothing is written. */
  static StatusFile existing(Path path) {
    return new StatusFile(path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Returns its path. */
  Path path() {
    return path;
  }

  /** Returns whether it can be written, as far as can be known without trying. */
  boolean isWritable() {
    Path folder = path.getParent();
    return folder != null
        && !Files.isDirectory(path)
        && Files.isWritable(Files.exists(path) ? path : folder);
  }

  /** Replaces what the file holds. */
  synchronized void write(byte[] bytes) {
    if (!options.contains(StandardOpenOption.CREATE) && !Files.isWritable(path)) {
      return;
    }
    // A channel closes itself, and here leaves an empty file, where its thread is interrupted.
    boolean interrupted = Thread.interrupted();
    try (SeekableByteChannel file = Files.newByteChannel(path, options)) {
      replace(file, bytes);
    } catch (IOException | RuntimeException e) {
      ShutdownLog.warn(log, "Could not write {}", path, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Writes all of it, or leaves what was there before: half a report reads like none. In place: a
   * file that is mounted alone, as the termination message is, cannot be replaced by another file.
   */
  void replace(SeekableByteChannel file, byte[] bytes) throws IOException {
    try {
      writeAll(file, bytes);
      holds = bytes;
    } catch (IOException e) {
      restore(file, e);
      throw e;
    }
  }

  /** The file system may be full; what was there before fits again. */
  private void restore(SeekableByteChannel file, IOException failure) {
    try {
      file.truncate(0);
      writeAll(file, holds);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void writeAll(SeekableByteChannel file, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      file.write(rest);
    }
  }
}
