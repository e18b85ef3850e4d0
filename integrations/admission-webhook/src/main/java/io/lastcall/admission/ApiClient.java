package io.lastcall.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The requests to the API server, by the service account's token. Thread-safe. */
final class ApiClient {
  /** No object in etcd is longer than 1.5 MB. */
  private static final int LONGEST = 4 * 1024 * 1024;

  private final Settings settings;
  private final HttpClient client;

  ApiClient(Settings settings) throws IOException, GeneralSecurityException {
    this.settings = settings;
    client = Http.client().sslContext(trust(settings.account().resolve("ca.crt"))).build();
  }

  private static SSLContext trust(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + store.size(), ca);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Returns the Pod; empty if there is none. */
  Optional<Pod> pod(String namespace, String name) throws IOException {
    return get("/api/v1/namespaces/%s/pods/%s".formatted(namespace, name)).map(Pod::read);
  }

  /** Returns whether the namespace is being deleted, with all that is in it. */
  boolean namespaceEnds(String name) throws IOException {
    return get("/api/v1/namespaces/" + name)
        .filter(namespace -> !namespace.path("metadata").hasNonNull("deletionTimestamp"))
        .isEmpty();
  }

  private Optional<JsonNode> get(String path) throws IOException {
    HttpResponse<byte[]> response = send(request(path).GET());
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    if (response.statusCode() != 200) {
      throw new IOException("GET " + path + ": " + response.statusCode());
    }
    return Optional.of(Review.JSON.readTree(response.body()));
  }

  /** Annotates a Pod that has turned prepared, and ends the count since its first refusal. */
  void annotatePrepared(Pod pod, Instant time) throws IOException {
    annotate(
        pod,
        Review.JSON
            .createObjectNode()
            .put(Pod.PREPARED, time.toString())
            .putNull(Pod.REFUSED_SINCE));
  }

  /** Annotates a Pod that is refused for the first time. */
  void annotateRefused(Pod pod, Instant time) throws IOException {
    annotate(pod, Review.JSON.createObjectNode().put(Pod.REFUSED_SINCE, time.toString()));
  }

  /** Not a later Pod of its name. */
  private void annotate(Pod pod, ObjectNode annotations) throws IOException {
    ObjectNode patch = Review.JSON.createObjectNode();
    patch.putObject("metadata").put("uid", pod.uid()).set("annotations", annotations);
    String path = "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), pod.name());
    HttpResponse<byte[]> response =
        send(
            request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString(patch.toString())));
    // It is gone, or another one has its name.
    if (response.statusCode() != 200
        && response.statusCode() != 404
        && response.statusCode() != 409) {
      throw new IOException("PATCH " + path + ": " + response.statusCode());
    }
  }

  /** Returns the Deployment of a ReplicaSet; empty for any other object, or without the right. */
  Optional<ObjectRef> top(String namespace, ObjectRef owner) throws IOException {
    if (!owner.isReplicaSet()) {
      return Optional.empty();
    }
    HttpResponse<byte[]> response =
        send(
            request("/apis/apps/v1/namespaces/%s/replicasets/%s".formatted(namespace, owner.name()))
                .GET());
    return response.statusCode() == 200
        ? ObjectRef.ownerOf(Review.JSON.readTree(response.body()).path("metadata"))
        : Optional.empty();
  }

  /** Creates an Event, unless there is one of its name. */
  void postEvent(String namespace, ObjectNode event) throws IOException {
    String path = "/api/v1/namespaces/" + namespace + "/events";
    HttpResponse<byte[]> response =
        send(
            request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(event.toString())));
    if (response.statusCode() != 201 && response.statusCode() != 409) {
      throw new IOException("POST " + path + ": " + response.statusCode());
    }
  }

  private HttpRequest.Builder request(String path) throws IOException {
    // Read anew: the kubelet rotates it.
    String token = Files.readString(settings.account().resolve("token")).strip();
    return HttpRequest.newBuilder(URI.create("https://" + settings.api() + path))
        .header("Authorization", "Bearer " + token)
        .header("Accept", "application/json");
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException {
    return Http.send(client, request.build(), LONGEST, settings.patience());
  }
}
