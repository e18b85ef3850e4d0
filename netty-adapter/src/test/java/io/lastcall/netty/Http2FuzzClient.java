package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/** The client's end of one HTTP/2 connection: Netty's own codec, and a record of every stream. */
final class Http2FuzzClient {
  private final Recorder recorder = new Recorder();
  private final EmbeddedChannel channel =
      new EmbeddedChannel(Http2FrameCodecBuilder.forClient().build(), recorder);
  private final NavigableMap<Integer, Stream> streams = new TreeMap<>();
  private final List<Integer> goAways = new ArrayList<>();

  private static final class Stream {
    final Http2FrameStream stream;
    boolean sending;
    boolean reset;
    boolean ended;

    Stream(Http2FrameStream stream, boolean sending) {
      this.stream = stream;
      this.sending = sending;
    }
  }

  /** Opens a stream, as long as it may, or goes on with one; returns what it did. */
  String act(Random random) {
    int choice = random.nextInt(8);
    if (choice < 5) {
      return goAways.isEmpty() ? open(random.nextInt(4)) : "no new stream";
    }
    List<Stream> open = streams.values().stream().filter(s -> !s.ended && !s.reset).toList();
    if (open.isEmpty()) {
      return "nothing";
    }
    Stream one = open.get(random.nextInt(open.size()));
    if (choice == 5) {
      one.reset = true;
      channel.writeOutbound(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(one.stream));
      return "reset " + one.stream.id();
    }
    return one.sending ? body(one, random.nextBoolean(), padding(random)) : "nothing";
  }

  private String open(int kind) {
    Http2Headers headers =
        new DefaultHttp2Headers().scheme("http").authority("a").path(kind == 3 ? "/readyz" : "/r");
    boolean sends = kind == 0;
    headers.method(sends ? "POST" : "GET");
    Http2FrameStream stream = recorder.newStream();
    channel.writeOutbound(new DefaultHttp2HeadersFrame(headers, !sends).stream(stream));
    streams.put(stream.id(), new Stream(stream, sends));
    return headers.method() + " " + headers.path() + " as " + stream.id();
  }

  /** Of a DATA frame, mostly none (RFC 9113, section 6.1). */
  static int padding(Random random) {
    return Math.max(0, random.nextInt(768) - 512);
  }

  private String body(Stream one, boolean end, int padding) {
    one.sending = !end;
    ByteBuf piece = Unpooled.copiedBuffer("abc", US_ASCII);
    channel.writeOutbound(new DefaultHttp2DataFrame(piece, end, padding).stream(one.stream));
    return "body of " + one.stream.id() + (end ? ", end" : "");
  }

  void finishBodies() {
    for (Stream one : streams.values()) {
      if (one.sending && !one.reset && !one.ended) {
        body(one, true, 0);
      }
    }
  }

  /** Moves what it has sent since the last call to {@code wire}. */
  void takeSent(ByteBuf wire) {
    channel.runPendingTasks();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      wire.writeBytes(out);
      out.release();
    }
  }

  void receive(ByteBuf bytes) {
    channel.writeInbound(bytes);
    channel.runPendingTasks();
  }

  /** The last stream that each GOAWAY has named. */
  List<Integer> goAways() {
    return goAways;
  }

  int ended() {
    return (int) streams.values().stream().filter(stream -> stream.ended).count();
  }

  void close() {
    channel.finishAndReleaseAll();
  }

  /** RFC 9113, section 6.8: in two steps, and the last one names every stream that was opened. */
  void checkGoAways() {
    assertTrue(goAways.size() <= 2, () -> "GOAWAYs " + goAways);
    if (!goAways.isEmpty()) {
      assertEquals(Integer.MAX_VALUE, goAways.get(0));
    }
    if (goAways.size() == 2) {
      int highest = streams.isEmpty() ? 0 : streams.lastKey();
      assertTrue(goAways.get(1) >= highest, () -> goAways + " leave out stream " + highest);
    }
  }

  void checkAllAnswered() {
    streams.forEach(
        (id, stream) ->
            assertTrue(stream.ended || stream.reset, () -> "no answer on stream " + id));
  }

  private final class Recorder extends Http2ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      boolean end =
          (message instanceof Http2HeadersFrame headers && headers.isEndStream())
              || (message instanceof Http2DataFrame data && data.isEndStream());
      if (message instanceof Http2GoAwayFrame goAway) {
        goAways.add(goAway.lastStreamId());
      } else if (end && message instanceof Http2StreamFrame frame) {
        Stream stream = streams.get(frame.stream().id());
        if (stream != null) {
          stream.ended = true;
        }
      }
      ReferenceCountUtil.release(message);
    }
  }
}
