package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.rabbitmq.client.Channel;
import io.lastcall.spring.work.Qpid;
import io.lastcall.work.WorkSource;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/** A listener that keeps what it is given, and acknowledges when the test says so. */
@Timeout(120)
class RabbitAcknowledgementsTest {
  private static @Nullable Qpid broker;

  private record Given(String text, long tag, Channel channel) {
    void acknowledge(boolean allBefore) throws Exception {
      channel.basicAck(tag, allBefore);
    }
  }

  private final BlockingQueue<Given> given = new LinkedBlockingQueue<>();
  private final CachingConnectionFactory connections =
      new CachingConnectionFactory(URI.create(broker().uri()));

  @BeforeAll
  static void startBroker() throws Exception {
    broker = new Qpid();
    broker().queue("orders");
  }

  private static Qpid broker() {
    return Objects.requireNonNull(broker);
  }

  @AfterAll
  static void stopBroker() {
    broker().close();
  }

  @BeforeEach
  void fill() throws Exception {
    broker().publish("orders", "o1", "o2", "o3", "o4", "o5");
  }

  @AfterEach
  void empty() throws Exception {
    connections.destroy();
    List<String> unused = broker().takeAll("orders");
  }

  static Stream<AbstractMessageListenerContainer> containers() {
    SimpleMessageListenerContainer simple = new SimpleMessageListenerContainer();
    simple.setPrefetchCount(2);
    DirectMessageListenerContainer direct = new DirectMessageListenerContainer();
    direct.setPrefetchCount(2);
    return Stream.of(simple, direct);
  }

  private WorkSource started(AbstractMessageListenerContainer container) {
    container.setConnectionFactory(connections);
    container.setQueueNames("orders");
    container.setAcknowledgeMode(AcknowledgeMode.MANUAL);
    container.setMessageListener(
        (ChannelAwareMessageListener)
            (message, channel) -> given.add(given(message, Objects.requireNonNull(channel))));
    container.afterPropertiesSet();
    RabbitAcknowledgements.watch(container);
    container.start();
    return new LateAcknowledgements(
        () -> RabbitAcknowledgements.of(container), new ListenerSource(container, finishing -> {}));
  }

  private static Given given(Message message, Channel channel) {
    String text = new String(message.getBody(), StandardCharsets.UTF_8);
    return new Given(text, message.getMessageProperties().getDeliveryTag(), channel);
  }

  @ParameterizedTest
  @MethodSource("containers")
  void stopTaking_messagesInWork_waitsForTheirAcknowledgements(
      AbstractMessageListenerContainer container) throws Exception {
    WorkSource source = started(container);
    Given first = given.take();
    Given second = given.take();
    source.stopTaking();
    CompletableFuture<?> finished = source.finished().toCompletableFuture();
    first.acknowledge(false); // has the broker give the next one, which is not begun
    assertFalse(finished.isDone());
    assertTrue(container.isRunning());
    second.acknowledge(false);
    Object unused = finished.get();
    assertTrue(given.isEmpty(), given::toString);
    assertEquals(List.of("o3", "o4", "o5"), sorted(broker().takeAll("orders")));
  }

  private static List<String> sorted(List<String> messages) {
    return messages.stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("containers")
  void stopTaking_oneAcknowledgementForAll_isEnough(AbstractMessageListenerContainer container)
      throws Exception {
    WorkSource source = started(container);
    Given first = given.take();
    Given second = given.take();
    source.stopTaking();
    (first.tag() > second.tag() ? first : second).acknowledge(true);
    Object unused = source.finished().toCompletableFuture().get();
    assertEquals(3, broker().takeAll("orders").size());
  }

  /** Another consumer gets it, though it is done here. */
  @ParameterizedTest
  @MethodSource("containers")
  void stopTaking_anAcknowledgementComesTooLate_fails(AbstractMessageListenerContainer container)
      throws Exception {
    WorkSource source = started(container);
    Given first = given.take();
    Given second = given.take();
    source.stopTaking();
    first.acknowledge(false);
    connections.resetConnection();
    assertThrows(RuntimeException.class, () -> second.acknowledge(false));
    var failure =
        assertThrows(ExecutionException.class, () -> source.finished().toCompletableFuture().get());
    assertInstanceOf(IllegalStateException.class, failure.getCause());
  }

  /** The row without: the container acknowledges what its listener returns from. */
  @Test
  void watch_containerThatAcknowledges_leavesItAlone() {
    SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
    ChannelAwareMessageListener listener = (message, channel) -> {};
    container.setMessageListener(listener);
    RabbitAcknowledgements.watch(container);
    assertEquals(listener, container.getMessageListener());
  }

  /** Registered by the application after the start: its first messages were not counted. */
  @Test
  void stopTaking_futuresThatWereNotWatched_fails() throws Exception {
    SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
    container.setMessageListener(
        new ChannelAwareMessageListener() {
          @Override
          public void onMessage(Message message, @Nullable Channel channel) {}

          @Override
          public boolean isAsyncReplies() {
            return true;
          }
        });
    WorkSource source =
        new LateAcknowledgements(
            () -> RabbitAcknowledgements.of(container),
            new ListenerSource(container, finishing -> {}));
    assertThrows(IllegalStateException.class, source::stopTaking);
    Object unused = source.finished().toCompletableFuture().get();
  }
}
