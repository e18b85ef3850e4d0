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
 * The record of a halt in a full heap: channel and bytes are made when the shutdown begins, and
 * writing it allocates nothing. Not thread-safe.
 */
final class HaltedRecord {
  /** Where a text shows how full the heap is, as three digits. */
  private static final String PERCENT = "%%%";

  private record Text(ByteBuffer bytes, int percentAt) {
    static Text of(String template, String phase) {
      String text = template.replace("PHASE", phase);
      byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
      return new Text(ByteBuffer.allocateDirect(ascii.length).put(ascii), text.indexOf(PERCENT));
    }
  }

  private final FileChannel channel;
  private final Text beforePhases;
  private final Map<Phase, Text> texts = new EnumMap<>(Phase.class);

  /**
   * Writes it once, so that everything that writing needs is loaded.
   *
   * @param template ASCII, with PHASE for the phase's name and %%% for how full the heap is
   * @throws IOException if the file cannot be opened
   */
  HaltedRecord(Path path, String template) throws IOException {
    channel = FileChannel.open(path, StandardOpenOption.WRITE);
    beforePhases = Text.of(template, "START");
    for (Phase phase : Phase.values()) {
      texts.put(phase, Text.of(template, phase.name()));
    }
    // One byte too many, so that the truncation runs too: a native call is linked at its first use.
    channel.write(ByteBuffer.allocate(1), beforePhases.bytes().capacity());
    write(Optional.empty());
  }

  /** Replaces the file's text; a failure is not logged, since the halt follows. */
  void write(Optional<Phase> phase) {
    Text text = phase.isPresent() ? Objects.requireNonNull(texts.get(phase.get())) : beforePhases;
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    long percent = used * 100 / runtime.maxMemory();
    ByteBuffer bytes = text.bytes();
    for (int digit = PERCENT.length() - 1; digit >= 0; digit--) {
      bytes.put(text.percentAt() + digit, (byte) ('0' + percent % 10));
      percent /= 10;
    }
    bytes.position(0);
    try {
      channel.write(bytes, 0);
      channel.truncate(bytes.capacity());
    } catch (IOException e) {
      // Nothing is left that could be done about it.
    }
  }
}
