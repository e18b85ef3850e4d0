package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.jetty.LastcallConnector;
import io.lastcall.spring.service.TestApplication;
import io.lastcall.testing.TestKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What was configured for Spring Boot's connector holds for the one that drains. */
@Timeout(600)
class JettyConnectorTest {
  private static ConfigurableApplicationContext run(String... arguments) {
    return run(TestApplication.class, arguments);
  }

  private static ConfigurableApplicationContext run(Class<?> source, String... arguments) {
    Stream<String> always =
        Stream.of("--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=warn");
    return new SpringApplication(TestApplication.class, source)
        .run(Stream.concat(always, Stream.of(arguments)).toArray(String[]::new));
  }

  private static Server jetty(ConfigurableApplicationContext context) {
    JettyWebServer web = (JettyWebServer) ((WebServerApplicationContext) context).getWebServer();
    return Objects.requireNonNull(web).getServer();
  }

  private static LastcallConnector connector(ConfigurableApplicationContext context) {
    return assertInstanceOf(LastcallConnector.class, jetty(context).getConnectors()[0]);
  }

  @Test
  void properties_ofServerAndJetty_areTheConnectors() throws Exception {
    try (ConfigurableApplicationContext context =
        run(
            "--server.address=127.0.0.1",
            "--server.jetty.threads.selectors=2",
            "--server.jetty.threads.acceptors=1",
            "--server.jetty.connection-idle-timeout=7s",
            "--server.jetty.max-connections=5",
            "--server.max-http-request-header-size=3KB",
            "--server.forward-headers-strategy=native")) {
      LastcallConnector connector = connector(context);
      assertEquals("127.0.0.1", connector.getHost());
      assertEquals(2, connector.getSelectorManager().getSelectorCount());
      assertEquals(7000, connector.getIdleTimeout());
      HttpConfiguration http =
          connector.getConnectionFactory(HttpConnectionFactory.class).getHttpConfiguration();
      assertEquals(3 * 1024, http.getRequestHeaderSize());
      assertTrue(http.getCustomizer(ForwardedRequestCustomizer.class) != null);
      assertEquals(200, get(HttpClient.newHttpClient(), "http", context).statusCode());
      NetworkConnectionLimit limit = jetty(context).getBean(NetworkConnectionLimit.class);
      assertEquals(5, limit.getMaxNetworkConnectionCount());
      assertEquals(1, limit.getNetworkConnectionCount());
    }
  }

  @Test
  void tlsAndHttp2_areSpoken(@TempDir Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    HttpClient client = HttpClient.newBuilder().sslContext(TestKeys.trust(keys)).build();
    try (ConfigurableApplicationContext context =
        run(
            "--server.http2.enabled=true",
            "--server.ssl.key-alias=test",
            "--server.ssl.key-store=" + keys,
            "--server.ssl.key-store-password=" + TestKeys.SECRET)) {
      connector(context);
      HttpResponse<String> answer = get(client, "https", context);
      assertEquals(200, answer.statusCode());
      assertEquals(HttpClient.Version.HTTP_2, answer.version());
    }
    String reason =
        refusal(
            TestApplication.class,
            "--server.ssl.key-alias=other",
            "--server.ssl.key-store=" + keys,
            "--server.ssl.key-store-password=" + TestKeys.SECRET);
    assertTrue(reason.contains("other"), reason);
  }

  private static HttpResponse<String> get(
      HttpClient client, String scheme, ConfigurableApplicationContext context) throws Exception {
    URI uri = URI.create(scheme + "://127.0.0.1:" + connector(context).getLocalPort() + "/fast");
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** The service starts as without the library, and no request is lost. */
  @Test
  void moreThanOneAcceptor_isWarnedOfAndDrainsCoarsely() throws Exception {
    try (Service service =
        Service.start("--server.jetty.threads.acceptors=2", "--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> slow = service.get(service.port(), "/slow");
      service.awaitLine("slow began");
      service.awaitLine("server.jetty.threads.acceptors=2 cannot be kept in a Jetty that drains");
      service.awaitLine("is drained without knowing its connections");
      service.terminate();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  @Test
  void customizer_thatPutsAnotherConnectorInItsPlace_isWarnedOf() {
    SpringApplication application =
        new SpringApplication(TestApplication.class, OtherConnector.class);
    List<String> lines = Warnings.of(ContainerInternals.class, application, "--server.port=0");
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith(ServerConnector.class.getName()), lines.get(0));
    assertTrue(lines.get(0).contains("allowed is " + LastcallConnector.class.getName()));
  }

  @Configuration(proxyBeanMethods = false)
  static class OtherConnector {
    @Bean
    JettyServerCustomizer other() {
      return server -> server.setConnectors(new Connector[] {new ServerConnector(server)});
    }
  }

  /** Returns the innermost reason why the application does not start. */
  private static String refusal(Class<?> source, String... arguments) {
    Throwable reason = assertThrows(RuntimeException.class, () -> run(source, arguments).close());
    while (reason.getCause() != null) {
      reason = reason.getCause();
    }
    return String.valueOf(reason.getMessage());
  }
}
