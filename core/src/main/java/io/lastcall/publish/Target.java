package io.lastcall.publish;

import io.lastcall.phase.Phase;
import io.lastcall.process.EventThread;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that a record of the shutdown goes to, written on a thread of its own: its file system may
 * block, and must not hold up another record or the exit.
 */
final class Target {
  private static final Logger log = LoggerFactory.getLogger(Target.class);

  private final StatusFile file;
  private final String haltTemplate;
  private final EventThread thread;
  private volatile @Nullable HaltedRecord prepared;

  /**
   * @param haltTemplate see {@link HaltedRecord#in}
   */
  Target(String name, StatusFile file, String haltTemplate) {
    this.file = file;
    this.haltTemplate = haltTemplate;
    thread = new EventThread(name);
  }

  /** Writes what holds if nothing else is ever written, and prepares for a halt. */
  void begin(byte[] bytes) {
    run(
        () -> {
          file.write(bytes);
          if (!file.isWritable()) {
            return;
          }
          try {
            prepared = HaltedRecord.in(file.path(), haltTemplate);
          } catch (IOException e) {
            ShutdownLog.debug(log, "No record of a halt is prepared in {}", file.path(), e);
          }
          file.write(bytes);
        });
  }

  void write(Supplier<byte[]> bytes) {
    run(() -> file.write(bytes.get()));
  }

  private void run(Runnable event) {
    if (thread.start()) {
      thread.add(event);
    } else {
      event.run(); // the process can have no other thread
    }
  }

  /** Returns whether all of it was written before the deadline. */
  boolean finish(Deadline deadline) {
    return thread.finish(deadline);
  }

  /**
   * Writes on the calling thread that the process is halted; tries the prepared record if need be.
   */
  void halt(Optional<Phase> phase, Supplier<byte[]> bytes) {
    try {
      file.write(bytes.get());
    } catch (Throwable noMemory) {
      writePrepared(phase);
    }
  }

  private void writePrepared(Optional<Phase> phase) {
    HaltedRecord record = prepared;
    if (record == null) {
      return;
    }
    try {
      record.write(phase);
    } catch (IOException e) {
      // The halt follows, and no log line would be written any more.
    }
  }
}
