package io.lastcall.admission;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.lastcall.testing.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An API server with one Pod, and the application in it, each on a socket of its own. */
final class FakeCluster implements AutoCloseable {
  static final String TOKEN = "0123456789abcdef";
  private static final String POD = "/api/v1/namespaces/shop/pods/store-0";

  private static final String REPLICA_SET =
      "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\","
          + "\"name\":\"store\",\"uid\":\"d1\",\"controller\":true}]}}";

  private static @Nullable Path shared;

  static {
    // Both ends are here: an answer's two parts would wait for an acknowledgement.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /** What the application and the API server were asked. */
  final List<String> questions = new CopyOnWriteArrayList<>();

  final List<String> patches = new CopyOnWriteArrayList<>();

  /** The Events by their names: the API server refuses a second one. */
  final Map<String, JsonNode> events = new ConcurrentHashMap<>();

  final List<String> reads = new CopyOnWriteArrayList<>();

  private final Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer application = HttpServer.create(loopback(), 0);
  private final HttpsServer api = HttpsServer.create(loopback(), 0);
  private volatile HttpHandler preparation = exchange -> {};
  private volatile String patience = "30s";
  private volatile int apiStatus = 200;
  private volatile int patchStatus = 200;
  private volatile int eventStatus = 201;
  private volatile boolean namespaceEnds;
  private volatile ObjectNode pod = (ObjectNode) review("delete").at("/request/oldObject");

  FakeCluster(Path folder) throws Exception {
    this.folder = folder;
    copyKeys(folder);
    Files.writeString(folder.resolve("token"), TOKEN + "\n");
    application.setExecutor(threads);
    application.createContext("/", this::prepare);
    application.start();
    api.setHttpsConfigurator(new HttpsConfigurator(ReloadedKeys.context(folder)));
    api.setExecutor(threads);
    api.createContext("/", this::serve);
    api.start();
    port(application.getAddress().getPort());
    preparing(8, "12 of 40 shards moved");
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** As an API server of Kubernetes 1.20 sent it. */
  static ObjectNode review(String name) {
    try (InputStream in = FakeCluster.class.getResourceAsStream("/reviews/" + name + ".json")) {
      return (ObjectNode) Review.JSON.readTree(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All clusters have one key pair, since to make one takes a second. */
  private static synchronized void copyKeys(Path folder) throws Exception {
    Path made = shared;
    if (made == null) {
      made = Files.createTempDirectory("keys");
      made.toFile().deleteOnExit();
      certify(made);
      shared = made;
    }
    try (Stream<Path> files = Files.list(made)) {
      for (Path file : files.toList()) {
        file.toFile().deleteOnExit();
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
  }

  /** Writes a new certificate with its key, as a Secret has them. */
  static void certify(Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    Files.deleteIfExists(store);
    TestKeys.makeNew(store);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, TestKeys.SECRET.toCharArray());
    }
    String certificate = pem("CERTIFICATE", keys.getCertificate("test").getEncoded());
    Files.writeString(folder.resolve("tls.crt"), certificate);
    Files.writeString(folder.resolve("ca.crt"), certificate);
    byte[] key = keys.getKey("test", TestKeys.SECRET.toCharArray()).getEncoded();
    Files.writeString(folder.resolve("tls.key"), pem("PRIVATE KEY", key));
  }

  private static String pem(String type, byte[] bytes) {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }

  HttpClient client() throws Exception {
    return HttpClient.newBuilder().sslContext(TestKeys.trust(folder.resolve("keys.p12"))).build();
  }

  /** From now on a webhook that starts waits so long for an application. */
  void patience(String duration) {
    patience = duration;
  }

  Map<String, String> environment() {
    return Map.of(
        "PORT", "0",
        "PATIENCE", patience,
        "TLS_FOLDER", folder.toString(),
        "TOKEN_FILE", folder.resolve("token").toString(),
        "SERVICE_ACCOUNT", folder.toString(),
        "KUBERNETES_SERVICE_HOST", "127.0.0.1",
        "KUBERNETES_SERVICE_PORT", Integer.toString(api.getAddress().getPort()));
  }

  Settings settings() {
    return Settings.of(environment());
  }

  /** The Pod as a review of a DELETE has it, too. */
  JsonNode pod() {
    return pod;
  }

  void pod(Consumer<ObjectNode> change) {
    ObjectNode changed = pod.deepCopy();
    change.accept(changed);
    pod = changed;
  }

  void annotate(String name, String value) {
    pod(changed -> changed.withObject("/metadata/annotations").put(name, value));
  }

  /** Where the application is asked from now on. */
  void port(int port) {
    pod(changed -> ((ObjectNode) changed.path("status")).put("podIP", "127.0.0.1"));
    annotate(Pod.PORT, Integer.toString(port));
  }

  void answers(HttpHandler handler) {
    preparation = handler;
  }

  void answers(int status, String body) {
    answers(exchange -> reply(exchange, status, body));
  }

  void prepared() {
    answers(200, "{\"state\":\"prepared\",\"forSeconds\":3}");
  }

  void preparing(int eta, String detail) {
    answers(
        202,
        "{\"state\":\"preparing\",\"forSeconds\":3,\"etaSeconds\":%d,\"detail\":\"%s\"}"
            .formatted(eta, detail));
  }

  void apiAnswers(int status) {
    apiStatus = status;
  }

  void patchAnswers(int status) {
    patchStatus = status;
  }

  void namespaceEnds() {
    namespaceEnds = true;
  }

  private void prepare(HttpExchange exchange) throws IOException {
    questions.add(
        "%s %s %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                exchange.getRequestHeaders().getFirst("X-Lastcall-Token")));
    try (exchange) {
      preparation.handle(exchange);
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    try (exchange) {
      if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        reply(exchange, 401, "");
      } else if (exchange.getRequestMethod().equals("PATCH")) {
        patch(path, new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        reply(exchange, patchStatus, "{}");
      } else if (path.equals("/api/v1/namespaces/shop/events")) {
        reply(exchange, event(Review.JSON.readTree(exchange.getRequestBody())), "{}");
      } else if (path.equals("/apis/apps/v1/namespaces/shop/replicasets/store-7d4b")) {
        reply(exchange, 200, REPLICA_SET);
      } else if (path.equals("/api/v1/namespaces/shop")) {
        reply(
            exchange,
            200,
            namespaceEnds
                ? "{\"metadata\":{\"deletionTimestamp\":\"2026-11-28T07:00:00Z\"}}"
                : "{\"metadata\":{}}");
      } else {
        reads.add(path);
        reply(exchange, path.equals(POD) ? apiStatus : 404, pod.toString());
      }
    }
  }

  private int event(JsonNode event) {
    int status = eventStatus;
    return status == 201 && events.putIfAbsent(event.at("/metadata/name").asText(), event) != null
        ? 409
        : status;
  }

  void eventsAnswer(int status) {
    eventStatus = status;
  }

  /** Applies the annotations of a merge patch (RFC 7386). */
  private void patch(String path, String body) throws IOException {
    patches.add(path + " " + body);
    JsonNode annotations = Review.JSON.readTree(body).at("/metadata/annotations");
    if (patchStatus == 200) {
      pod(
          changed -> {
            ObjectNode known = changed.withObject("/metadata/annotations");
            annotations
                .properties()
                .forEach(
                    entry -> {
                      known.set(entry.getKey(), entry.getValue());
                      if (entry.getValue().isNull()) {
                        known.remove(entry.getKey());
                      }
                    });
          });
    }
  }

  /** Returns an annotation of the Pod; empty if it has none. */
  String annotation(String name) {
    return pod.path("metadata").path("annotations").path(name).asText();
  }

  static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    application.stop(0);
    api.stop(0);
    threads.shutdownNow();
  }
}
