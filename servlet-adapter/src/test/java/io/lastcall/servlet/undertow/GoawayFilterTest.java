package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.undertow.server.protocol.framed.AbstractFramedStreamSourceChannel;
import io.undertow.server.protocol.framed.FrameHeaderData;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoawayFilterTest {
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;

  private final List<Integer> parsed = new ArrayList<>();

  /** What Undertow's does with frames that are no DATA: takes them in, however they come. */
  private final class WholeFrames implements GoawayFilter.Parser, FrameHeaderData {
    private final Framing framing = Framing.http2();
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

    @Override
    public @Nullable FrameHeaderData parse(ByteBuffer data) {
      while (data.hasRemaining()) {
        byte one = data.get();
        seen.write(one);
        framing.follow(ByteBuffer.wrap(new byte[] {one}));
        if (framing.isBetweenFrames()) {
          parsed.add((int) seen.toByteArray()[3]);
          seen.reset();
          return this;
        }
      }
      return null;
    }

    @Override
    public long getFrameLength() {
      return 0;
    }

    @Override
    public @Nullable AbstractFramedStreamSourceChannel<?, ?, ?> getExistingChannel() {
      return null;
    }
  }

  private static byte[] frames(int... types) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int type : types) {
      int length = type == SETTINGS ? 0 : type == PING ? 8 : 300;
      out.writeBytes(
          new byte[] {0, (byte) (length >> 8), (byte) length, (byte) type, 0, 0, 0, 0, 0});
      out.writeBytes(new byte[length]);
    }
    return out.toByteArray();
  }

  private static void parseAll(GoawayFilter filter, byte[] input, int piece) throws IOException {
    for (int at = 0; at < input.length; at += piece) {
      ByteBuffer data = ByteBuffer.wrap(input, at, Math.min(piece, input.length - at));
      while (data.hasRemaining()) {
        filter.parse(data);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 9, 10, 17, 100, 1000})
  void parse_inPiecesOfAnySize_leavesOutGoawayAndNothingElse(int piece) throws IOException {
    GoawayFilter filter = new GoawayFilter(false, new WholeFrames());
    parseAll(filter, frames(SETTINGS, GOAWAY, PING, SETTINGS, GOAWAY, GOAWAY, PING), piece);
    assertEquals(List.of(SETTINGS, PING, SETTINGS, PING), parsed);
  }

  @Test
  void parse_beginsWithinAFrame_goesOnBehindIt() throws IOException {
    WholeFrames parser = new WholeFrames();
    byte[] input = frames(PING, GOAWAY, PING);
    assertNull(parser.parse(ByteBuffer.wrap(input, 0, 4)));
    GoawayFilter filter = new GoawayFilter(true, parser);
    ByteBuffer rest = ByteBuffer.wrap(input, 4, input.length - 4);
    while (rest.hasRemaining()) {
      filter.parse(rest);
    }
    assertEquals(List.of(PING, PING), parsed);
  }
}
