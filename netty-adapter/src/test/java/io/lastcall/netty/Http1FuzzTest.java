package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ToldToClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random interleavings of what a client sends, an application answers and a shutdown does, on one
 * HTTP/1.1 connection. A failure names its seed; {@code -Dlastcall.fuzz.first=SEED} begins there.
 */
final class Http1FuzzTest {
  private static final long FIRST = Long.getLong("lastcall.fuzz.first", 0);
  private static final int RUNS = Integer.getInteger("lastcall.fuzz.runs", 3000);
  private static final int STEPS = 60;

  @Test
  void anyInterleaving_losesNoAnswerAndLeavesNothingBehind() {
    int answered = 0;
    for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
      Run run = new Run(seed);
      try {
        answered += run.play();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + run.story(), e);
      }
    }
    assertTrue(answered > RUNS, () -> "too few answers to tell anything");
  }

  /** What the application owes for one request. */
  private static final class Answer {
    final String id;
    boolean begun;
    boolean stream;
    @Nullable ChannelFuture end;

    Answer(String id) {
      this.id = id;
    }
  }

  private static final class Run {
    private final Random random;
    private final Harness http;
    private final StringBuilder unsent = new StringBuilder();
    private final Deque<Answer> owed = new ArrayDeque<>();
    private final List<Answer> answers = new ArrayList<>();
    private final List<ChannelFuture> writes = new ArrayList<>();
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final List<String> story = new ArrayList<>();
    private int requests;
    private boolean leaving;

    /** Somebody but the drain ended the connection, or the drain has given up. */
    private boolean disturbed;

    Run(long seed) {
      random = new Random(seed);
      http = new Harness(new Application());
    }

    int play() {
      for (int step = 0; step < STEPS && http.channel.isOpen(); step++) {
        step();
      }
      // The application answers everything, and the client leaves.
      while (!owed.isEmpty() && http.channel.isOpen()) {
        answer();
      }
      http.channel.flush();
      http.channel.runPendingTasks();
      String received = http.received();
      story.add("received " + received);
      List<Answer> given = List.copyOf(answers);
      // The codec makes a request of what it has of a head: an answer to that is no answer.
      http.channel.close();
      http.channel.finishAndReleaseAll();
      http.channel.checkException();
      check(given, Responses.parse(received));
      return given.size();
    }

    String story() {
      return String.join("; ", story).replace("\r\n", "|");
    }

    private void step() {
      switch (random.nextInt(16)) {
        case 0, 1, 2 -> request();
        case 3, 4, 5, 6 -> send();
        case 7, 8, 9, 10 -> answer();
        case 11 -> flush();
        case 12 -> runTasks();
        case 13 -> drain();
        case 14 -> drain();
        default -> disturb();
      }
    }

    private void flush() {
      story.add("flush");
      http.channel.flush();
    }

    private void runTasks() {
      story.add("tasks");
      http.channel.runPendingTasks();
    }

    private void request() {
      String id = "/r" + requests++;
      unsent.append(
          switch (random.nextInt(8)) {
            case 0 -> "GET /readyz HTTP/1.1\r\n\r\n";
            case 1 -> "POST " + id + " HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789";
            case 2 ->
                "POST "
                    + id
                    + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
            case 3 ->
                "PUT " + id + " HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab";
            case 4 -> "GET " + id + " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
            default -> "GET " + id + " HTTP/1.1\r\nHost: a\r\n\r\n";
          });
    }

    /** Some of it, so that heads and bodies come in parts, or several requests at once. */
    private void send() {
      int length = Math.min(unsent.length(), 1 + random.nextInt(120));
      if (length > 0) {
        ByteBuf bytes = Unpooled.copiedBuffer(unsent.substring(0, length), US_ASCII);
        story.add("read " + unsent.substring(0, length));
        unsent.delete(0, length);
        buffers.add(bytes);
        http.channel.writeInbound(bytes);
      }
    }

    /** The next part of the oldest answer, or all of it. */
    private void answer() {
      Answer answer = owed.peek();
      if (answer == null) {
        return;
      }
      int choice = random.nextInt(6);
      if (!answer.begun && choice < 3) {
        end(answer, whole(answer.id));
      } else if (!answer.begun && choice == 3) {
        write(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
      } else if (!answer.begun) {
        answer.begun = true;
        answer.stream = choice == 4;
        HttpResponse head = Harness.head(answer.stream ? "text/event-stream" : "text/plain");
        head.headers().set("id", answer.id);
        write(head);
      } else if (choice < 3) {
        write(new DefaultHttpContent(buffer("piece")));
      } else {
        end(answer, LastHttpContent.EMPTY_LAST_CONTENT);
      }
      if (random.nextBoolean()) {
        flush();
      }
    }

    private FullHttpResponse whole(String id) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, buffer("body of " + id));
      response.headers().set("id", id);
      response.headers().setInt("Content-Length", response.content().readableBytes());
      return response;
    }

    private ByteBuf buffer(String text) {
      ByteBuf buffer = Unpooled.copiedBuffer(text, US_ASCII);
      buffers.add(buffer);
      return buffer;
    }

    private void end(Answer answer, Object last) {
      owed.remove();
      answers.add(answer);
      answer.end = write(last);
    }

    private ChannelFuture write(Object message) {
      story.add(message instanceof HttpResponse head ? "write " + head.status() : "write a part");
      ChannelFuture write = http.channel.write(message);
      writes.add(write);
      return write;
    }

    private void drain() {
      if (!leaving) {
        story.add("leave");
        leaving = true;
        http.control.leave(random.nextBoolean() ? Duration.ZERO : Duration.ofHours(1));
        return;
      }
      TrackedConnection connection = TrackedConnection.of(http.channel);
      int choice = random.nextInt(5);
      story.add(
          List.of("refuse", "last call", "close streams", "close idle", "close idle").get(choice));
      switch (choice) {
        case 0 -> http.control.refuse();
        case 1 -> ServerConnections.of(http.channel).endIdle();
        case 2 -> ToldToClose.all(http.connections);
        default -> connection.closeIfIdle();
      }
    }

    private void disturb() {
      if (random.nextInt(4) > 0) {
        return;
      }
      disturbed = true;
      if (leaving && random.nextBoolean()) {
        TrackedConnection.of(http.channel).forceClose();
        http.channel.runPendingTasks();
      } else {
        http.channel.close();
      }
    }

    private void check(List<Answer> given, List<Responses.Response> received) {
      assertEquals(0, http.inFlight(), "in flight");
      assertEquals(0, http.connections.connections().open(), "long-lived");
      assertTrue(writes.stream().allMatch(ChannelFuture::isDone), "a write never ended");
      assertTrue(buffers.stream().allMatch(each -> each.refCnt() == 0), "a buffer was kept");
      List<String> complete =
          received.stream()
              .filter(Responses.Response::complete)
              .map(Responses.Response::id)
              .collect(Collectors.toList());
      for (Answer answer : given) {
        boolean delivered = answer.end != null && answer.end.isSuccess();
        if (!disturbed && !answer.stream) {
          assertTrue(delivered, () -> "lost: the answer to " + answer.id + ": " + answer.end);
        }
        if (delivered) {
          assertTrue(complete.remove(answer.id), () -> "said to have left: " + answer.id);
        }
      }
      for (int i = 0; i < received.size() - 1; i++) {
        assertTrue(received.get(i).complete(), "a response within another");
        assertTrue(!received.get(i).close(), "a response behind the one that says close");
      }
    }

    /** Owes an answer for each request it sees; gives some of them at once. */
    private final class Application extends ChannelInboundHandlerAdapter {
      @Override
      public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof HttpRequest request) {
          owed.add(new Answer(request.uri()));
          if (random.nextInt(3) == 0) {
            answer();
          }
        }
        ReferenceCountUtil.release(message);
      }
    }
  }
}
