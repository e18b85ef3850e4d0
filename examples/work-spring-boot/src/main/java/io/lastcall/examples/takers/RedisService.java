package io.lastcall.examples.takers;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer.StreamMessageListenerContainerOptions;

/** A consumer group of a Redis stream, which acknowledges each message that it has done. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class RedisService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(RedisService.class, arguments);
  }

  @Bean(initMethod = "start")
  StreamMessageListenerContainer<String, MapRecord<String, String, String>> orders(
      RedisConnectionFactory connections,
      StringRedisTemplate redis,
      Pieces pieces,
      @Value("${orders.consumer}") String consumer) {
    StreamMessageListenerContainer<String, MapRecord<String, String, String>> container =
        StreamMessageListenerContainer.create(
            connections,
            StreamMessageListenerContainerOptions.builder()
                .batchSize(1)
                .pollTimeout(Duration.ofMillis(100))
                .build());
    var unused =
        container.receive(
            Consumer.from("workers", consumer),
            StreamOffset.create("orders", ReadOffset.lastConsumed()),
            message -> {
              pieces.work(message.getValue().getOrDefault("order", ""));
              redis.opsForStream().acknowledge("workers", message);
            });
    return container;
  }
}
