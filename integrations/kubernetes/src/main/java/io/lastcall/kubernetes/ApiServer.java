package io.lastcall.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The API server as a container reaches it: by the environment that the kubelet sets and the
 * service account's files. The files are read anew for each request, since tokens are rotated.
 *
 * <p>{@link HttpsURLConnection} and not {@code java.net.http}: the latter's selector thread stays,
 * and costs the JVM's exit up to 300 ms.
 *
 * @param authority host and port
 * @param account the folder with the service account's token, CA and namespace
 * @param pod the own Pod's name
 * @param patience how long to wait for a connection, and for each part of an answer
 */
record ApiServer(String authority, Path account, String pod, Duration patience) {
  static final String NO_POD =
      "404, there is no Pod of this name; where the host name is another, set pod-name";

  /** A Pod is some ten thousand bytes, and at most 1.5 MB. */
  private static final int LONGEST_ANSWER = 2_000_000;

  /**
   * Prepares a GET of the own Pod.
   *
   * @throws IOException if a file of the service account's is missing or of no use
   */
  HttpsURLConnection request() throws IOException {
    if (pod.isEmpty()) {
      throw new IOException("HOSTNAME is not set; set pod-name");
    }
    return request("/api/v1/namespaces/%s/pods/%s".formatted(namespace(), pod));
  }

  /** Returns the own namespace. */
  String namespace() throws IOException {
    return file("namespace").trim();
  }

  /** Prepares a GET of a path. */
  HttpsURLConnection request(String path) throws IOException {
    String token = file("token").trim();
    URI target = URI.create("https://" + authority + path);
    // Not by a proxy that the application may have: the token is for the API server alone.
    HttpsURLConnection request = (HttpsURLConnection) target.toURL().openConnection(Proxy.NO_PROXY);
    request.setSSLSocketFactory(trust().getSocketFactory());
    request.setRequestProperty("Authorization", "Bearer " + token);
    request.setRequestProperty("Accept", "application/json");
    request.setRequestProperty("Connection", "close");
    request.setInstanceFollowRedirects(false);
    request.setUseCaches(false);
    request.setConnectTimeout((int) patience.toMillis());
    request.setReadTimeout((int) patience.toMillis());
    return request;
  }

  /**
   * Reads the answer to a request that has been connected. It is no older than the request: a GET
   * without a resourceVersion is answered by a quorum of etcd, not from a cache.
   *
   * @return the Pod; empty if the API server itself says that there is none of this name
   * @throws IOException saying why there is no answer that can be used
   */
  Optional<PodState> answer(HttpsURLConnection request) throws IOException {
    int status = request.getResponseCode();
    if (status == 404 && PodState.isNotFound(body(request.getErrorStream()), pod)) {
      return Optional.empty();
    }
    if (status != 200) {
      throw new IOException(refusal(status));
    }
    long date = request.getHeaderFieldDate("Date", 0);
    if (date == 0) {
      throw new IOException("the answer has no Date, and the clock here may be off");
    }
    return Optional.of(
        PodState.read(body(request.getInputStream()), pod, Instant.ofEpochMilli(date)));
  }

  /** Prepares a POST of a JSON that may not be known yet. */
  HttpsURLConnection postRequest(String path) throws IOException {
    HttpsURLConnection request = request(path);
    request.setRequestMethod("POST");
    request.setRequestProperty("Content-Type", "application/json");
    request.setDoOutput(true);
    request.setChunkedStreamingMode(0);
    return request;
  }

  /** Sends the JSON of a {@link #postRequest}; returns the status. */
  static int post(HttpsURLConnection request, String json) throws IOException {
    try (OutputStream out = request.getOutputStream()) {
      out.write(json.getBytes(StandardCharsets.UTF_8));
    }
    return request.getResponseCode();
  }

  static String body(@Nullable InputStream from) throws IOException {
    if (from == null) {
      return ""; // an error without a body
    }
    try (InputStream in = from) {
      byte[] body = in.readNBytes(LONGEST_ANSWER + 1);
      if (body.length > LONGEST_ANSWER) {
        throw new IOException("the answer is longer than any Pod");
      }
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private static String refusal(int status) {
    return switch (status) {
      case 401 ->
          "401, the service account's token is not accepted: it has expired, or its Pod is gone";
      case 403 ->
          "403, the service account may not get its own Pod; docs/kubernetes.md has the Role";
      case 404 -> NO_POD;
      default -> "status " + status;
    };
  }

  private SSLContext trust() throws IOException {
    Path file = account.resolve("ca.crt");
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate ca : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + store.size(), ca);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (NoSuchFileException e) {
      throw missing(file, e);
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " is no certificate: " + e.getMessage(), e);
    }
  }

  private String file(String name) throws IOException {
    Path file = account.resolve(name);
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw missing(file, e);
    }
  }

  private static IOException missing(Path file, IOException cause) {
    return new IOException(
        "there is no " + file + "; is automountServiceAccountToken false?", cause);
  }
}
