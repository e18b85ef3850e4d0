package io.lastcall.examples.cluster.eureka;

import io.lastcall.examples.cluster.Moments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A service that others find in Eureka. Its settings are in {@code application.yml}. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class OrderService {
  /** Starts it. */
  public static void main(String[] args) {
    ConfigurableApplicationContext context = SpringApplication.run(OrderService.class, args);
    Moments.print("registered", context.getEnvironment().getRequiredProperty("local.server.port"));
  }

  @GetMapping("/")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void order() {}
}
