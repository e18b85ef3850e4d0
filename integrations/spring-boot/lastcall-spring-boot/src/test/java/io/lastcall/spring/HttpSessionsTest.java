package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.GracefulShutdown;
import io.lastcall.spring.service.TestApplication;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A user who is logged in holds a release, without a line in the application. */
@Timeout(120)
class HttpSessionsTest {
  private final HttpClient client = HttpClient.newHttpClient();

  private HttpResponse<String> get(int port, String path, String cookie) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Cookie", cookie)
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void session_isOpen_theReleaseIsNotIdle() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(
            new Class<?>[] {TestApplication.class, Login.class}, ContextsTest.QUIET)) {
      GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
      int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
      HttpResponse<String> login = get(port, "/session-login", "a=b");
      assertEquals("in", login.body());
      String cookie = login.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
      assertEquals(1, shutdown.sessions("http").inProgress());
      assertFalse(shutdown.isIdle());
      assertEquals("out", get(port, "/session-logout", cookie).body());
      Awaitility.await().until(shutdown::isIdle);
    }
  }

  @RestController
  static class Login {
    @GetMapping("/session-login")
    String login(HttpSession session) {
      return "in";
    }

    @GetMapping("/session-logout")
    String logout(HttpSession session) {
      session.invalidate();
      return "out";
    }
  }
}
