package io.lastcall.examples.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * A WebFlux service with a graceful shutdown: nothing in it says so, starter and adapter on the
 * class path are enough. Environment: {@code PORT}; {@code PROBE_PORT}, where set, serves the
 * probes on a port of their own too; {@code NAIVE=true} runs the same service without the library;
 * {@code LASTCALL_*}, the library's settings.
 */
@SpringBootApplication(proxyBeanMethods = false)
class WebFluxExample {
  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(WebFluxExample.class);
    if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
      application.setAdditionalProfiles("naive");
    }
    application.run(args);
  }

  @EventListener
  void ready(ApplicationReadyEvent event) {
    String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
    System.out.println("ready on port " + port);
  }
}
