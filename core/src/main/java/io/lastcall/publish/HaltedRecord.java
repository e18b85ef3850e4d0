package io.lastcall.publish;

import io.lastcall.phase.Phase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The record of a halt for which there is no memory left: channel and bytes are made when the
 * shutdown begins, and writing it allocates nothing. Not thread-safe.
 */
final class HaltedRecord {
  /** Where a text has the heap's use, as three digits. */
  private static final String PERCENT = "%%%";

  /** A text, and where it has the heap's use. */
  private record Text(ByteBuffer bytes, int place) {
    static Text of(String template, String phase) {
      byte[] ascii = template.replace("PHASE", phase).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer bytes = ByteBuffer.allocateDirect(ascii.length).put(ascii);
      return new Text(bytes, template.replace("PHASE", phase).indexOf(PERCENT));
    }
  }

  private final FileChannel channel;
  private final Text beforePhases;
  private final Map<Phase, Text> texts = new EnumMap<>(Phase.class);

  private HaltedRecord(FileChannel channel, String template) {
    this.channel = channel;
    beforePhases = Text.of(template, "START");
    for (Phase phase : Phase.values()) {
      texts.put(phase, Text.of(template, phase.name()));
    }
  }

  /**
   * @param template ASCII, with PHASE for the phase's name and %%% for how full the heap is
   * @throws IOException if the file cannot be written
   */
  static HaltedRecord in(Path path, String template) throws IOException {
    HaltedRecord record =
        new HaltedRecord(FileChannel.open(path, StandardOpenOption.WRITE), template);
    record.write(Optional.empty()); // once now, so that nothing is loaded or made when it counts
    return record;
  }

  /** Replaces what the file holds. */
  void write(Optional<Phase> phase) throws IOException {
    Text text = phase.isPresent() ? Objects.requireNonNull(texts.get(phase.get())) : beforePhases;
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    long percent = used * 100 / runtime.maxMemory();
    ByteBuffer bytes = text.bytes();
    for (int digit = PERCENT.length() - 1; digit >= 0; digit--) {
      bytes.put(text.place() + digit, (byte) ('0' + percent % 10));
      percent /= 10;
    }
    bytes.position(0);
    channel.write(bytes, 0);
    channel.truncate(bytes.capacity());
  }
}
