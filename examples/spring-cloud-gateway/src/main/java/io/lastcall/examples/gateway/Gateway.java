package io.lastcall.examples.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * A gateway whose routes are in {@code application.yml}. Nothing in it speaks of shutdowns: starter
 * and adapter on the class path are enough.
 */
@SpringBootApplication(proxyBeanMethods = false)
class Gateway {
  public static void main(String[] args) {
    SpringApplication.run(Gateway.class, args);
  }
}
