package io.lastcall.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.admission.Review.MalformedException;
import io.lastcall.admission.Review.UnfitException;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The webhook's server: {@code POST /review} and {@code GET /metrics} over TLS, its probes on the
 * library's own port. {@link Settings} are its environment, {@code LASTCALL_*} the library's.
 */
public final class AdmissionWebhook {
  /** A review holds up to two objects, of at most 1.5 MB each. */
  private static final int LONGEST = 4 * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(AdmissionWebhook.class);

  private final GracefulShutdown shutdown;
  private final Guard guard;
  private final Follower follower;
  private final Metrics metrics = new Metrics();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpsServer server;

  private AdmissionWebhook(GracefulShutdown shutdown, Settings settings, InstantSource clock)
      throws IOException, GeneralSecurityException {
    this.shutdown = shutdown;
    ApiClient api = new ApiClient(settings);
    PodClient pods = new PodClient(settings);
    follower = new Follower(pods, api, threads, Ticker.system());
    guard = new Guard(settings, api, pods, follower, new PodEvents(api, threads), clock);
    server = HttpsServer.create(new InetSocketAddress(settings.port()), 1024);
    server.setHttpsConfigurator(
        new HttpsConfigurator(ReloadedKeys.context(settings.certificate())));
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    shutdown.server(
        DrainableServer.of(
            "admission", deadline -> server.stop(0), deadline -> threads.shutdown()));
  }

  /** Starts the server and returns; its threads keep the process up, a failed start ends it. */
  public static void main(String[] arguments) {
    // An answer's two small parts would wait for each other's acknowledgement; a request takes
    // seconds at most.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty("sun.net.httpserver.maxReqTime", "10");
    // The JDK's server asks DNS for the name of each client that speaks TLS, and would hang with
    // it.
    System.setProperty("jdk.net.hosts.file", "/etc/hosts");
    try {
      GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
      AdmissionWebhook webhook =
          start(shutdown, Settings.of(System.getenv()), InstantSource.system());
      webhook.follow();
      System.out.println("ready on port " + webhook.port());
    } catch (Throwable t) {
      log.error("The webhook could not start", t);
      System.exit(1);
    }
  }

  /** Listens. */
  static AdmissionWebhook start(GracefulShutdown shutdown, Settings settings, InstantSource clock)
      throws IOException, GeneralSecurityException {
    AdmissionWebhook webhook = new AdmissionWebhook(shutdown, settings, clock);
    webhook.server.start();
    shutdown.started();
    return webhook;
  }

  /** Follows the Pods that prepare, until the signal: then the other replica does. */
  void follow() {
    ScheduledExecutorService once =
        shutdown.countedScheduler("follow", Executors.newSingleThreadScheduledExecutor());
    var unused = once.scheduleWithFixedDelay(follower::askAll, 1, 1, TimeUnit.SECONDS);
  }

  int port() {
    return server.getAddress().getPort();
  }

  void stop() {
    server.stop(0);
    threads.shutdown();
  }

  /** Counts requests while they are answered, and marks them once the process ends. */
  private void handle(HttpExchange exchange) throws IOException {
    Permit permit = new Permit() {};
    try (exchange) {
      if (shutdown.gate().enter(permit)) {
        if (shutdown.gate().shouldCloseConnection()) {
          exchange.getResponseHeaders().set("Connection", "close");
        }
        route(exchange);
      } else {
        RequestGate.refusalHeaders(false).forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(RequestGate.REFUSED_STATUS, -1);
      }
    } finally {
      permit.release();
    }
  }

  private void route(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    boolean post = exchange.getRequestMethod().equals("POST");
    if (path.equals("/metrics") && !post) {
      answer(exchange, 200, "text/plain; version=0.0.4", metrics.text());
    } else if (path.equals("/review") && post) {
      review(exchange);
    } else {
      answer(exchange, path.equals("/review") ? 405 : 404, "text/plain", "POST /review\n");
    }
  }

  private void review(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST + 1);
    if (body.length > LONGEST) {
      // Read to its end, or the answer would be reset away; maxReqTime bounds that.
      exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
      malformed(exchange, 413, "a review is at most " + LONGEST + " bytes long");
      return;
    }
    try {
      Review review = Review.read(body);
      Verdict verdict = guard.decide(review);
      metrics.count(review.verb().name().toLowerCase(Locale.ROOT), verdict);
      log.info(
          "{} {}/{} by {}: {} {} {}",
          review.verb(),
          review.namespace(),
          review.name(),
          review.user(),
          verdict.isAllowed() ? "allowed" : "denied",
          verdict.reason(),
          verdict.message());
      answer(exchange, 200, "application/json", verdict.review(review.uid()).toString());
    } catch (UnfitException e) {
      Verdict verdict = Verdict.unfit(String.valueOf(e.getMessage()));
      metrics.count("other", verdict);
      answer(exchange, 200, "application/json", verdict.review(e.uid).toString());
    } catch (MalformedException e) {
      malformed(exchange, 400, String.valueOf(e.getMessage()));
    }
  }

  private void malformed(HttpExchange exchange, int status, String message) throws IOException {
    metrics.count("other", Verdict.unfit(message));
    answer(exchange, status, "text/plain", message + "\n");
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
