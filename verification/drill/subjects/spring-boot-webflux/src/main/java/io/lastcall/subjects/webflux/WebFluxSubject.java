package io.lastcall.subjects.webflux;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A WebFlux service with a graceful shutdown: nothing in it says so, starter and adapter on the
 * class path are enough. Environment: {@code PORT}; {@code PROBE_PORT}, where set, serves the
 * probes on a port of their own too; {@code NAIVE=true} runs the same service without the library;
 * {@code LASTCALL_*}, the library's settings.
 */
@SpringBootApplication(proxyBeanMethods = false)
class WebFluxSubject {
  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(WebFluxSubject.class);
    if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
      application.setAdditionalProfiles("naive");
    }
    ConfigurableApplicationContext context = application.run(args);
    // Ready only now: Spring Boot says that it takes traffic after its last start-up event.
    System.out.println(
        "ready on port " + context.getEnvironment().getProperty("local.server.port"));
  }
}
