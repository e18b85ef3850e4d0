package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.SessionCounter;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two releases; users who are logged in stay at theirs, by their cookie, as behind an ingress. */
@Timeout(120)
class SessionReleaseTest {
  private static final int USERS = 20;

  @TempDir private Path folder = Path.of("unset");
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Tomcat> servers = new ArrayList<>();

  /** A release that counts its sessions, or does not. */
  private record Release(GracefulShutdown shutdown, int port) {}

  /** Somebody who is logged in, and has made so many requests since. */
  private final class User {
    private final Release release;
    private final String cookie;
    private int requests;

    User(Release release) throws Exception {
      this.release = release;
      HttpResponse<String> login = send(release, "/login", "");
      cookie = login.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
      assertEquals("0", login.body());
    }

    void click() throws Exception {
      requests++;
      assertEquals(String.valueOf(requests), send(release, "/click", cookie).body());
    }

    void logout() throws Exception {
      assertEquals("bye", send(release, "/logout", cookie).body());
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (Tomcat server : servers) {
      server.stop();
      server.destroy();
    }
  }

  private Release release(boolean counts) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.disabled();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.resolve("release-" + servers.size()).toString());
    tomcat.setPort(0);
    tomcat.getConnector().setThrowOnFailure(true);
    Context context = tomcat.addContext("", null);
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    if (counts) {
      context.addServletContainerInitializer(
          (types, servlets) -> servlets.addListener(new SessionCounter(shutdown.sessions("http"))),
          null);
    }
    Tomcat.addServlet(context, "shop", new Shop()).addMapping("/");
    servers.add(tomcat);
    tomcat.start();
    return new Release(shutdown, tomcat.getConnector().getLocalPort());
  }

  private HttpResponse<String> send(Release release, String path, String cookie) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + release.port + path));
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response::body);
    return response;
  }

  private static void awaitIdle(Release release) {
    Awaitility.await().until(release.shutdown::isIdle);
  }

  @Test
  void twoReleases_twentySessions_noneIsLostAndTheOldOneIsIdleAfterTheLast() throws Exception {
    Release one = release(true);
    Release two = release(true);
    List<User> old = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      old.add(new User(one));
    }
    one.shutdown.takeOutOfService(true); // from now on new users go to the other
    List<User> fresh = List.of(new User(two), new User(two));
    while (!old.isEmpty()) {
      for (User user : old) {
        user.click();
        assertFalse(one.shutdown.isIdle());
      }
      assertEquals(old.size(), one.shutdown.sessions("http").inProgress());
      old.remove(0).logout();
      for (User user : fresh) {
        user.click();
      }
    }
    awaitIdle(one);
    assertFalse(two.shutdown.isIdle());
  }

  /** The row without: the release is idle between two requests, and would be scaled to zero. */
  @Test
  void sessionsAreNotCounted_theReleaseIsIdleWhileUsersAreLoggedIn() throws Exception {
    Release one = release(false);
    User user = new User(one);
    one.shutdown.takeOutOfService(true);
    awaitIdle(one);
    user.click();
  }

  /** The container renames the session of a user who logs in; a listener must not count two. */
  @Test
  void session_isRenamed_orInvalidated_isCountedOnce() throws Exception {
    Release one = release(true);
    User user = new User(one);
    HttpResponse<String> renamed = send(one, "/rename", user.cookie);
    Optional<String> fresh = renamed.headers().firstValue("Set-Cookie");
    assertTrue(fresh.isPresent());
    assertEquals(1, one.shutdown.sessions("http").inProgress());
    send(one, "/logout", fresh.get().split(";")[0]);
    Awaitility.await().until(() -> one.shutdown.sessions("http").inProgress() == 0);
  }

  private static final class Shop extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      switch (request.getRequestURI()) {
        case "/login" -> {
          request.getSession().setAttribute("clicks", 0);
          response.getWriter().print(0);
        }
        case "/click" -> {
          HttpSession session = request.getSession(false);
          int clicks = session == null ? -1 : (Integer) session.getAttribute("clicks") + 1;
          if (session != null) {
            session.setAttribute("clicks", clicks);
          }
          response.getWriter().print(clicks);
        }
        case "/rename" -> response.getWriter().print(request.changeSessionId());
        default -> {
          request.getSession().invalidate();
          response.getWriter().print("bye");
        }
      }
    }
  }
}
