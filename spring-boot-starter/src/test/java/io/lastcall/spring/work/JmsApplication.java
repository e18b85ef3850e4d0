package io.lastcall.spring.work;

import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;

/** Takes messages one by one, and its time for each. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableJms
@Import(JmsApplication.Worker.class)
public class JmsApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(JmsApplication.class, arguments);
  }

  @Bean
  ConnectionFactory connections(Environment environment) {
    return new ActiveMQConnectionFactory(environment.getRequiredProperty("test.broker"));
  }

  /** As Spring Boot makes it. */
  @Bean
  DefaultJmsListenerContainerFactory jmsListenerContainerFactory(ConnectionFactory connections) {
    DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
    factory.setConnectionFactory(connections);
    factory.setSessionTransacted(true);
    return factory;
  }

  /** One consumer. */
  static class Worker {
    private final Duration takes;

    Worker(Environment environment) {
      takes = Duration.ofSeconds(environment.getRequiredProperty("test.seconds", Long.class));
    }

    @JmsListener(destination = "work")
    void take(String message) {
      System.out.println("begun " + message);
      TaskApplication.pause(takes);
      System.out.println("ended " + message);
    }
  }
}
