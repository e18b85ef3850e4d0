package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastcall.GracefulShutdown;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;

/** The real server, asked over TLS as an API server asks it. */
record RunningWebhook(HttpClient client, int port, Runnable stop) implements AutoCloseable {

  /** Starts one that follows no Pods, unless it is told to. */
  static RunningWebhook start(FakeCluster cluster, boolean follow) throws Exception {
    return start(cluster, follow, InstantSource.system());
  }

  static RunningWebhook start(FakeCluster cluster, boolean follow, InstantSource clock)
      throws Exception {
    AdmissionWebhook webhook =
        AdmissionWebhook.start(GracefulShutdown.disabled(), cluster.settings(), clock);
    if (follow) {
      webhook.follow();
    }
    return new RunningWebhook(cluster.client(), webhook.port(), webhook::stop);
  }

  @Override
  public void close() {
    stop.run();
  }

  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** Returns the response of a review, which answers that review. */
  JsonNode review(ObjectNode review) throws IOException, InterruptedException {
    HttpResponse<String> response = send("POST", "/review", review.toString());
    assertEquals(200, response.statusCode(), response.body());
    JsonNode answer = Review.JSON.readTree(response.body());
    assertEquals("admission.k8s.io/v1", answer.path("apiVersion").asText());
    assertEquals("AdmissionReview", answer.path("kind").asText());
    assertEquals(review.at("/request/uid"), answer.at("/response/uid"));
    return answer.path("response");
  }

  /** Returns how often reviews were answered so. */
  int count(String verb, String answer, String reason) throws IOException, InterruptedException {
    String line =
        "lastcall_admission_reviews_total{verb=\"%s\",answer=\"%s\",reason=\"%s\"} "
            .formatted(verb, answer, reason);
    return send("GET", "/metrics", "")
        .body()
        .lines()
        .filter(text -> text.startsWith(line))
        .mapToInt(text -> Integer.parseInt(text.substring(line.length())))
        .sum();
  }
}
