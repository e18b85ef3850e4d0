package io.lastcall.spring.work;

import jakarta.jms.ConnectionFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;

/** Takes messages one by one from three brokers, and its time for each. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJms
@EnableKafka
@EnableRabbit
@Import(ListenerApplication.Worker.class)
public class ListenerApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(ListenerApplication.class, arguments);
  }

  @Bean
  ConnectionFactory connections(Environment environment) {
    return new ActiveMQConnectionFactory(environment.getRequiredProperty("test.jms"));
  }

  /** As Spring Boot makes it. */
  @Bean
  DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connections) {
    DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
    factory.setConnectionFactory(connections);
    factory.setSessionTransacted(true);
    return factory;
  }

  /** As Spring Boot makes it; polls return one record. */
  @Bean
  ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory(
      Environment environment) {
    ConcurrentKafkaListenerContainerFactory<String, String> factory =
        new ConcurrentKafkaListenerContainerFactory<>();
    factory.setConsumerFactory(
        new DefaultKafkaConsumerFactory<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                environment.getRequiredProperty("test.kafka"),
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                1),
            new StringDeserializer(),
            new StringDeserializer()));
    return factory;
  }

  /** As Spring Boot makes it; it prefetches. */
  @Bean
  SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(Environment environment) {
    SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
    factory.setConnectionFactory(
        new CachingConnectionFactory(URI.create(environment.getRequiredProperty("test.rabbit"))));
    return factory;
  }

  @Bean
  DirectRabbitListenerContainerFactory twoAtOnce(Environment environment) {
    DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
    factory.setConnectionFactory(
        new CachingConnectionFactory(URI.create(environment.getRequiredProperty("test.rabbit"))));
    factory.setPrefetchCount(2);
    return factory;
  }

  /** One consumer of each. */
  static class Worker {
    private static void work(String message) {
      System.out.println("begun " + message);
      TaskApplication.pause(Duration.ofSeconds(3));
      System.out.println("ended " + message);
    }

    @JmsListener(destination = "work")
    void message(String message) {
      work("jms " + message);
    }

    @RabbitListener(queues = "work")
    void rabbitMessage(byte[] message) {
      work("rabbit " + new String(message, StandardCharsets.UTF_8));
    }

    /** Returns before its message is done, on a thread that nobody knows. */
    @RabbitListener(queues = "later", containerFactory = "twoAtOnce")
    CompletableFuture<Void> rabbitLater(byte[] message) {
      String order = "rabbit later " + new String(message, StandardCharsets.UTF_8);
      System.out.println("begun " + order);
      return CompletableFuture.runAsync(
          () -> System.out.println("ended " + order),
          CompletableFuture.delayedExecutor(4, TimeUnit.SECONDS));
    }

    /** Returns before its record is done, on a thread that nobody knows. */
    @KafkaListener(topics = "later", groupId = "later")
    CompletableFuture<Void> later(String message) {
      System.out.println("begun later " + message);
      return CompletableFuture.runAsync(
          () -> System.out.println("ended later " + message),
          CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS));
    }

    @KafkaListener(topics = "work", groupId = "workers")
    void kafkaRecord(String message) {
      work("kafka " + message);
    }
  }
}
