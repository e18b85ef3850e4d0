package io.lastcall.subjects.boot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Spring Boot service with a graceful shutdown: nothing in it says so, the starter on the class
 * path is enough. Environment: {@code PORT}; {@code PROBE_PORT}, where set, serves the probes on a
 * port of their own too; {@code NAIVE=true} runs the same service without the library; {@code
 * LASTCALL_*}, the library's settings.
 */
@SpringBootApplication(proxyBeanMethods = false)
class BootSubject {
  public static void main(String[] args) {
    SpringApplication application = new SpringApplication(BootSubject.class);
    if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
      application.setAdditionalProfiles("naive");
    }
    ConfigurableApplicationContext context = application.run(args);
    // Ready only now: Spring Boot says that it takes traffic after its last start-up event.
    System.out.println(
        "ready on port " + context.getEnvironment().getProperty("local.server.port"));
  }
}
