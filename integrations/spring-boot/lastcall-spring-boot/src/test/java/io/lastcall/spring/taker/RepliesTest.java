package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.work.WorkSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.requestreply.ReplyingKafkaTemplate;

/**
 * A container that receives the answers to what this process asks for: requests that are served
 * after the trigger need them. No broker is there, so that none is taken.
 */
@Timeout(120)
class RepliesTest {
  private static final Map<String, Object> NO_BROKER = Map.of("bootstrap.servers", "127.0.0.1:1");

  private final ConcurrentMessageListenerContainer<String, String> container = container();

  private static ConcurrentMessageListenerContainer<String, String> container() {
    ContainerProperties properties = new ContainerProperties("replies");
    properties.setGroupId("replies");
    return new ConcurrentMessageListenerContainer<>(
        new DefaultKafkaConsumerFactory<>(
            NO_BROKER, new StringDeserializer(), new StringDeserializer()),
        properties);
  }

  private WorkSource source() {
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    return Objects.requireNonNull(
        KafkaTaker.lastcallKafkaListeners(beans.getBeanProvider(Takers.class)).source(container));
  }

  @Test
  void stopTaking_containerOfAReplyingKafkaTemplate_goesOn() throws Exception {
    ReplyingKafkaTemplate<String, String, String> template =
        new ReplyingKafkaTemplate<>(
            new DefaultKafkaProducerFactory<>(
                NO_BROKER, new StringSerializer(), new StringSerializer()),
            container);
    template.afterPropertiesSet();
    template.start();
    WorkSource source = source();
    source.stopTaking();
    source.finished().toCompletableFuture().get(1, TimeUnit.MINUTES);
    assertTrue(container.isRunning());
    template.destroy();
    container.stop();
  }

  /** The row without: another listener's container stops. */
  @Test
  void stopTaking_containerOfAnotherListener_stops() throws Exception {
    container.setupMessageListener(
        (org.springframework.kafka.listener.MessageListener<String, String>) each -> {});
    container.start();
    source().stopTaking();
    Awaitility.await().until(() -> !container.isRunning());
  }

  @Test
  void receivesReplies_containerOfARabbitTemplate_alone() {
    SimpleMessageListenerContainer rabbit = new SimpleMessageListenerContainer();
    rabbit.setMessageListener((MessageListener) each -> {});
    assertFalse(RabbitTaker.receivesReplies(rabbit));
    rabbit.setMessageListener(new RabbitTemplate(new CachingConnectionFactory("127.0.0.1", 1)));
    assertTrue(RabbitTaker.receivesReplies(rabbit));
  }
}
