package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection whose protocol is not known yet: its first bytes will tell. */
final class TrackedConnectionTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();

  @BeforeEach
  void accept() {
    ServerConnections.of(channel).setPatience(Duration.ZERO);
    channel.pipeline().addLast(new HAProxyMessageDecoder());
    TrackedConnection.accepted(channel);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, UTF_8));
  }

  @ParameterizedTest
  @CsvSource({
    "'', false",
    "GE, true",
    "'PROXY UNKNOWN\r', true",
    "'PROXY UNKNOWN\r\n', false",
    "'PROXY TCP4 10.0.0.1 10.0.0.2 5000 80\r\n', false"
  })
  void closeIfIdle_staysOpenForPartOfSomethingOnly(String sent, boolean open) {
    send(sent);
    TrackedConnection.of(channel).closeIfIdle();
    channel.runPendingTasks();

    assertEquals(open, channel.isOpen());
  }

  @Test
  void closeIfIdle_proxyHeaderInTwoParts_isClosed() {
    send("PROXY UNK");
    send("NOWN\r\n");
    TrackedConnection.of(channel).closeIfIdle();
    channel.runPendingTasks();

    assertFalse(channel.isOpen());
  }

  @Test
  void forceClose_partOfSomething_isClosed() {
    send("GE");
    TrackedConnection.of(channel).forceClose();
    channel.runPendingTasks();

    assertFalse(channel.isOpen());
  }
}
