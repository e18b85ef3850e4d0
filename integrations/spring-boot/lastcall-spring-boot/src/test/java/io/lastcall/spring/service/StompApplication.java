package io.lastcall.spring.service;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** A service over STOMP as a user writes it, with two threads for what clients send. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = TaskSchedulingAutoConfiguration.class) // it would lend its pool
@EnableWebSocketMessageBroker
@Import(StompApplication.Orders.class)
public class StompApplication implements WebSocketMessageBrokerConfigurer {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(StompApplication.class, arguments);
  }

  @Override
  public void registerStompEndpoints(StompEndpointRegistry registry) {
    registry.addEndpoint("/stomp");
  }

  @Override
  public void configureMessageBroker(MessageBrokerRegistry registry) {
    registry.enableSimpleBroker("/topic");
    registry.setApplicationDestinationPrefixes("/app");
  }

  @Override
  public void configureClientInboundChannel(ChannelRegistration registration) {
    registration.taskExecutor().corePoolSize(2).maxPoolSize(2);
  }

  /** Takes 300 ms for each order. */
  @Controller
  static class Orders {
    private static final long EACH = TimeUnit.MILLISECONDS.toNanos(300);

    @MessageMapping("orders")
    @SendTo("/topic/answers")
    String take(String order) {
      long end = System.nanoTime() + EACH;
      while (System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      System.out.println("taken " + order);
      return "answer " + order;
    }
  }
}
