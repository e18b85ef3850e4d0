package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.connection.ToldToClose;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of what a client sends, an application answers and a shutdown does, on one
 * HTTP/2 connection, with bytes that arrive in parts and late. A failure names its seed; {@code
 * -Dlastcall.fuzz.first=SEED} begins there.
 */
final class Http2FuzzTest {
  private static final long FIRST = Long.getLong("lastcall.fuzz.first", 0);
  private static final int RUNS = Integer.getInteger("lastcall.fuzz.runs", 1000);
  private static final int STEPS = 60;

  @Test
  void anyInterleaving_losesNoAnswerAndLeavesNothingBehind() {
    int ended = 0;
    for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
      Run run = new Run(seed);
      try {
        ended += run.play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + String.join("; ", run.story), e);
      }
    }
    assertTrue(ended > RUNS, () -> "too few answers to tell anything");
  }

  /** What the application owes on one stream. */
  private static final class Answer {
    final Http2FrameStream stream;
    boolean begun;
    boolean longLived;

    Answer(Http2FrameStream stream) {
      this.stream = stream;
    }
  }

  private static final class Run {
    private final Random random;
    private final GateControl control = new GateControl(Ticker.system());
    private final ConnectionControl connections = new ConnectionControl();
    private final NettyDrain drain =
        new NettyDrain(
            control.gate(), FixedProbes.of(() -> true, () -> true), connections.connections());
    private final EmbeddedChannel server =
        new EmbeddedChannel(
            Http2FrameCodecBuilder.forServer().build(), drain.http2Handler(), new Application());
    private final Http2FuzzClient client = new Http2FuzzClient();
    private final ByteBuf onTheWire = Unpooled.buffer();
    private final List<Answer> owed = new ArrayList<>();
    private final List<ChannelFuture> writes = new ArrayList<>();
    private final List<ByteBuf> buffers = new ArrayList<>();
    final List<String> story = new ArrayList<>();
    private boolean leaving;
    private boolean lastCall;

    /** Somebody but the drain ended the connection, or the drain has given up. */
    private boolean disturbed;

    Run(long seed) {
      random = new Random(seed);
    }

    int play() {
      for (int step = 0; step < STEPS && server.isOpen(); step++) {
        step();
      }
      settle();
      check();
      client.close();
      server.finishAndReleaseAll();
      assertEquals(0, control.gate().inFlight(), "in flight");
      assertEquals(0, connections.connections().open(), "long-lived");
      assertTrue(writes.stream().allMatch(ChannelFuture::isDone), "a write never ended");
      assertTrue(buffers.stream().allMatch(each -> each.refCnt() == 0), "a buffer was kept");
      server.checkException();
      onTheWire.release();
      return client.ended();
    }

    private void step() {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> story.add(client.act(random));
        case 3, 4, 5 -> toServer(1 + random.nextInt(200));
        case 6, 7 -> toClient();
        case 8, 9, 10, 11 -> answer();
        case 12 -> flush();
        case 13, 14 -> drain();
        default -> disturb();
      }
    }

    /** All that is sent arrives, everything is answered, nobody opens a stream any more. */
    private void settle() {
      story.add("settle");
      client.finishBodies();
      for (int round = 0; round < 20 && server.isOpen(); round++) {
        toServer(Integer.MAX_VALUE);
        while (!owed.isEmpty() && server.isOpen()) {
          answer();
        }
        flush();
        toClient();
      }
      toClient();
    }

    private void toServer(int most) {
      client.takeSent(onTheWire);
      int length = Math.min(most, onTheWire.readableBytes());
      if (length > 0 && server.isOpen()) {
        story.add(length + " bytes to the server");
        server.writeInbound(onTheWire.readBytes(length));
        runTasks();
      }
    }

    private void toClient() {
      story.add("to the client");
      runTasks();
      for (ByteBuf out = server.readOutbound(); out != null; out = server.readOutbound()) {
        client.receive(out);
      }
    }

    private void runTasks() {
      server.runPendingTasks();
    }

    private void flush() {
      story.add("flush");
      server.flush();
    }

    /** The next part of somebody's answer, or all of it. */
    private void answer() {
      if (owed.isEmpty()) {
        return;
      }
      Answer answer = owed.get(random.nextInt(owed.size()));
      int choice = random.nextInt(6);
      if (!answer.begun) {
        answer.begun = true;
        answer.longLived = choice == 5;
        boolean whole = choice == 0;
        story.add("answer " + answer.stream.id() + (whole ? " at once" : ""));
        Http2Headers headers = new DefaultHttp2Headers().status("200");
        if (answer.longLived) {
          headers.set(EndlessResponse.HEADER, EndlessResponse.ENDLESS);
        }
        write(answer, new DefaultHttp2HeadersFrame(headers, whole).stream(answer.stream), whole);
      } else {
        boolean end = choice < 3;
        story.add("data " + answer.stream.id() + (end ? " end" : ""));
        ByteBuf piece = Unpooled.copiedBuffer("piece", US_ASCII);
        int padding = Http2FuzzClient.padding(random);
        buffers.add(piece);
        write(answer, new DefaultHttp2DataFrame(piece, end, padding).stream(answer.stream), end);
      }
      if (random.nextBoolean()) {
        flush();
      }
    }

    private void write(Answer answer, Object frame, boolean end) {
      if (end) {
        owed.remove(answer);
      }
      writes.add(server.write(frame));
    }

    private void drain() {
      if (!leaving) {
        story.add("leave");
        leaving = true;
        control.leave(random.nextBoolean() ? Duration.ZERO : Duration.ofHours(1));
        return;
      }
      TrackedConnection connection = TrackedConnection.of(server);
      int choice = random.nextInt(6);
      story.add(
          List.of("refuse", "last call", "close streams", "close idle", "announce", "announce")
              .get(choice));
      switch (choice) {
        case 0 -> control.refuse();
        case 1 -> {
          lastCall = true;
          ServerConnections.of(server).endIdle();
        }
        case 2 -> closeStream();
        case 3 -> connection.closeIfIdle();
        default -> connection.announceClose();
      }
      runTasks();
    }

    /**
     * One at a time: EmbeddedChannel runs the next task within the write of the one before it, as
     * no other event loop does, and then Netty's flow control forgets a frame.
     */
    private void closeStream() {
      if (connections.connections().open() == 1) {
        ToldToClose.all(connections);
      }
    }

    private void disturb() {
      if (random.nextInt(4) > 0) {
        return;
      }
      disturbed = true;
      if (leaving && random.nextBoolean()) {
        story.add("give up");
        TrackedConnection.of(server).forceClose();
        runTasks();
      } else {
        story.add("the server's channel is closed");
        server.close();
      }
    }

    private void check() {
      if (disturbed) {
        return;
      }
      client.checkGoAways();
      client.checkAllAnswered();
      if (lastCall) {
        assertFalse(server.isOpen(), "the connection did not end");
      }
    }

    /** Owes an answer for each stream it sees; gives some of them at once. */
    private final class Application extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2HeadersFrame request) {
          owed.add(new Answer(stream(request.stream())));
          if (random.nextInt(3) == 0) {
            answer();
          }
        } else if (message instanceof Http2ResetFrame reset) {
          owed.removeIf(answer -> answer.stream.equals(reset.stream()));
        }
        ReferenceCountUtil.release(message);
      }

      private Http2FrameStream stream(@Nullable Http2FrameStream stream) {
        if (stream == null) {
          throw new IllegalStateException("headers without a stream");
        }
        return stream;
      }
    }
  }
}
