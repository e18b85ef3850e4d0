package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

/** Servers that are beans, and that nobody has registered, alone or beside the web server. */
@Timeout(600)
@Tag("all")
class UnknownServersTest {
  private static final String[] ARGUMENTS = {"--lastcall.propagation-delay=0s", "--server.port=0"};

  private static List<String> warnings(Class<?> application) {
    return warnings(application, WebApplicationType.NONE);
  }

  private static List<String> warnings(Class<?> application, WebApplicationType type) {
    SpringApplication spring = new SpringApplication(application);
    spring.setWebApplicationType(type);
    return Warnings.of(UnknownServers.class, spring, ARGUMENTS);
  }

  @Test
  void beanIsAServerAndNoneIsRegistered_isNamedAtTheStart() {
    List<String> warnings = warnings(OwnServer.class);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(
        warnings
            .get(0)
            .startsWith(
                "Server bean 'http' (com.sun.net.httpserver.HttpServer) takes no part in the"
                    + " shutdown: its requests are not counted"),
        warnings::toString);
  }

  @Test
  void serverIsRegisteredOrThereIsNone_saysNothing() {
    assertEquals(List.of(), warnings(Registered.class));
    assertEquals(List.of(), warnings(None.class));
  }

  /** The web server is drained; the other one's requests pass no filter. */
  @Test
  void beanIsAServerBesideTheWebServer_isNamedAtTheStart() {
    List<String> warnings = warnings(OwnServer.class, WebApplicationType.SERVLET);
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("its requests are not counted"), warnings::toString);
    assertEquals(List.of(), warnings(Registered.class, WebApplicationType.SERVLET));
    assertEquals(List.of(), warnings(None.class, WebApplicationType.SERVLET));
  }

  /** In a pod: outside one there is no delay by default. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void sigterm_serverIsNotRegistered_theDelayHoldsAndTheEndIsIncompleteByItsName()
      throws Exception {
    try (Service service =
        Service.inKubernetes(
            OwnServer.class,
            "--spring.main.web-application-type=none",
            "--lastcall.grace-period=12s")) {
      service.awaitLine("readiness ACCEPTING_TRAFFIC");
      service.terminate();
      String first = service.awaitLine("Shutdown begun by");
      assertTrue(first.contains("Serving on for "), first);
      assertEquals(80, service.awaitExit(), service::output);
      service.awaitLine("requests of bean 'http'");
    }
  }

  /** With a server of the JDK, as one writes it by hand. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class OwnServer {
    public static void main(String[] arguments) {
      SpringApplication.run(OwnServer.class, arguments);
    }

    @Bean(destroyMethod = "")
    HttpServer http() throws IOException {
      HttpServer http =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      http.start();
      return http;
    }

    @EventListener
    void ready(AvailabilityChangeEvent<ReadinessState> event) {
      System.out.println("readiness " + event.getState());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Registered extends OwnServer {
    @Bean
    DrainableServer role(HttpServer http, GracefulShutdown shutdown) {
      DrainableServer role = DrainableServer.of("http", deadline -> http.stop(0), deadline -> {});
      shutdown.server(role);
      return role;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class None {}
}
