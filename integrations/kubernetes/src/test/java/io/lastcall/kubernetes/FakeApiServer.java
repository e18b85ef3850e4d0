package io.lastcall.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.lastcall.testing.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTPS server that plays the API server, and the service account's files for it. */
final class FakeApiServer implements AutoCloseable {
  static final String POD = "web-7d4b-x2x";

  /** The spec of a Pod whose containers get the stop signal first. */
  static final String NO_HOOK =
      """
      {"initContainers":[{"name":"schema"}],
      "containers":[{"name":"web","lifecycle":{"postStart":{}}},{"name":"logs"}]}""";

  /** The spec of a Pod with a hook that runs before the stop signal. */
  static final String PRE_STOP =
      """
      {"containers":[{"name":"web"},
      {"name":"logs","lifecycle":{"preStop":{"sleep":{"seconds":1}}}}]}""";

  private static final String TOKEN = "a-token";

  /** What it was asked: method, path and whether the token was right. */
  final List<String> requests = new CopyOnWriteArrayList<>();

  /** The Events that were posted. */
  final List<String> events = new CopyOnWriteArrayList<>();

  private final Path account;
  private final HttpsServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile Answer answer = exchange -> reply(exchange, 200, pod(""));
  private volatile Answer eventAnswer = exchange -> reply(exchange, 201, "{}");
  private volatile Answer replicaSetAnswer = exchange -> reply(exchange, 403, "{}");

  /** How one request is answered. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private FakeApiServer(Path account, SSLContext keys) throws IOException {
    this.account = account;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(keys));
    server.setExecutor(threads);
    server.createContext("/", this::serve);
    server.start();
  }

  static FakeApiServer start(Path folder) throws Exception {
    return new FakeApiServer(folder, account(folder));
  }

  /** Writes the files of a service account; returns the context of a server that they are for. */
  static SSLContext account(Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    TestKeys.make(store);
    return account(folder, store);
  }

  /** As {@link #account(Path)}, with a key pair that no other server has. */
  static void otherAccount(Path folder) throws Exception {
    Path store = folder.resolve("keys.p12");
    TestKeys.makeNew(store);
    account(folder, store);
  }

  private static SSLContext account(Path folder, Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, TestKeys.SECRET.toCharArray());
    }
    String ca = Base64.getMimeEncoder().encodeToString(keys.getCertificate("test").getEncoded());
    Files.writeString(
        folder.resolve("ca.crt"),
        "-----BEGIN CERTIFICATE-----\n" + ca + "\n-----END CERTIFICATE-----\n");
    Files.writeString(folder.resolve("token"), TOKEN + "\n");
    Files.writeString(folder.resolve("namespace"), "shop");
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, TestKeys.SECRET.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private void serve(HttpExchange exchange) throws IOException {
    boolean known =
        ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/events")) {
      events.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      eventAnswer.to(exchange);
    } else if (path.contains("/replicasets/")) {
      replicaSetAnswer.to(exchange);
    } else {
      requests.add("%s %s %s".formatted(exchange.getRequestMethod(), path, known));
      answer.to(exchange);
    }
    exchange.close();
  }

  static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** From now on it answers so. */
  void answers(Answer next) {
    answer = next;
  }

  void answers(int status, String body) {
    answers(exchange -> reply(exchange, status, body));
  }

  /**
   * From now on the Pod is being deleted, since some seconds before each answer: the header Date is
   * of the answer, and may be of the next second already.
   */
  void deleted(int secondsAgo, int graceSeconds) {
    deleted(secondsAgo, graceSeconds, NO_HOOK);
  }

  void deleted(int secondsAgo, int graceSeconds, String spec) {
    answers(
        exchange -> {
          Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
          Instant end = now.plusSeconds(graceSeconds - secondsAgo);
          reply(exchange, 200, pod(deletion(end, graceSeconds), spec));
        });
  }

  /** How Events are answered from now on. */
  void answersEvents(Answer next) {
    eventAnswer = next;
  }

  /** How a ReplicaSet is answered from now on; before that it may not be read. */
  void answersReplicaSet(String json) {
    replicaSetAnswer = exchange -> reply(exchange, 200, json);
  }

  /** From now on there is no Pod of this name. */
  void gone() {
    answers(404, notFound());
  }

  static String notFound() {
    return """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
        "message":"pods \\"%1$s\\" not found","reason":"NotFound",
        "details":{"name":"%1$s","kind":"pods"},"code":404}
        """
        .formatted(POD);
  }

  static String deletion(Instant end, int graceSeconds) {
    return ",\"deletionTimestamp\":\"%s\",\"deletionGracePeriodSeconds\":%d"
        .formatted(end, graceSeconds);
  }

  /** The Pod as the API server writes it, with more members of its metadata. */
  static String pod(String more) {
    return pod(more, NO_HOOK);
  }

  static String pod(String more, String spec) {
    return """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%s",
        "namespace":"shop","uid":"4b1f","labels":{"app":"web \\u00e9 \\"x\\""},"finalizers":[],
        "ownerReferences":[{"controller":true,"blockOwnerDeletion":null}]%s},"spec":%s}
        """
        .formatted(POD, more, spec);
  }

  ApiServer client(Duration patience) {
    return client("127.0.0.1:" + server.getAddress().getPort(), account, patience);
  }

  static ApiServer client(String authority, Path account, Duration patience) {
    return new ApiServer(authority, account, POD, patience);
  }

  /** What the kubelet sets in a container. */
  Map<String, String> environment() {
    return Map.of(
        "KUBERNETES_SERVICE_HOST",
        "127.0.0.1",
        "KUBERNETES_SERVICE_PORT",
        String.valueOf(server.getAddress().getPort()),
        "HOSTNAME",
        POD);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
