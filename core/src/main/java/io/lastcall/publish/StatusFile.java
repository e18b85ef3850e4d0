package io.lastcall.publish;

import io.lastcall.process.EventThread;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds one record of the shutdown, the latest. It is written on a thread of its own:
 * its file system may block, and must not hold up another record or the exit. A failure to write is
 * logged and changes nothing. Thread-safe.
 */
final class StatusFile {
  private static final Logger log = LoggerFactory.getLogger(StatusFile.class);

  /** The kubelet reads no more: Kubernetes API, Container, terminationMessagePath. */
  private static final int TERMINATION_MESSAGE_BYTES = 4096;

  private final Path path;
  private final int maxBytes;
  private final Set<OpenOption> options;
  private final EventThread thread;

  /** The record that was written before. */
  private byte[] holds = {};

  private boolean last;

  private StatusFile(String name, Path path, int maxBytes, OpenOption... options) {
    this.path = path;
    this.maxBytes = maxBytes;
    this.options = Set.of(options);
    thread = new EventThread(name);
  }

  /** Returns the report file, which is created if it is missing. */
  static StatusFile report(Path path) {
    return new StatusFile(
        "report", path, Integer.MAX_VALUE, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  /** Returns the file that the kubelet mounts into a container; nothing is written without it. */
  static StatusFile terminationMessage(Path path) {
    return new StatusFile("termination", path, TERMINATION_MESSAGE_BYTES, StandardOpenOption.WRITE);
  }

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

  void write(Supplier<String> record) {
    Runnable event = () -> writeNow(record.get());
    if (thread.start()) {
      thread.add(event);
    } else {
      event.run(); // the process can have no other thread
    }
  }

  /** Returns whether everything was written before the deadline. */
  boolean finish(Deadline deadline) {
    return thread.finish(deadline);
  }

  /** Replaces the record by one that stays, on the calling thread. */
  synchronized void writeLast(String record) {
    writeNow(record);
    last = true;
  }

  /** Replaces the record, on the calling thread. */
  synchronized void writeNow(String record) {
    if (last) {
      return;
    }
    byte[] bytes = cut(record.getBytes(StandardCharsets.UTF_8));
    if (!options.contains(StandardOpenOption.CREATE) && !Files.isWritable(path)) {
      return;
    }
    // An interrupted thread's channel closes itself, and would leave an empty file.
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

  /** Cuts between characters: the kubelet shows half a character as garbage. */
  private byte[] cut(byte[] utf8) {
    if (utf8.length <= maxBytes) {
      return utf8;
    }
    int end = maxBytes;
    while ((utf8[end] & 0xC0) == 0x80) {
      end--; // a continuation byte: its character began before it
    }
    return Arrays.copyOf(utf8, end);
  }

  /**
   * Writes in place: a file that is mounted alone, as the termination message is, cannot be
   * replaced by another. It is cut after the write: a halt in between must not leave it empty. On a
   * full file system the record before fits again.
   */
  private void replace(SeekableByteChannel file, byte[] bytes) throws IOException {
    try {
      writeAll(file, bytes);
      if (file.size() > bytes.length) { // a pipe or a device has no size, and cannot be cut
        file.truncate(bytes.length);
      }
      holds = bytes;
    } catch (IOException e) {
      file.truncate(0);
      writeAll(file, holds);
      throw e;
    }
  }

  private static void writeAll(SeekableByteChannel file, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      file.write(rest);
    }
  }
}
