package io.lastcall.admission;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastcall.admission.PodAnswer.State;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.ProbeToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;

/** Asks an application to prepare, by {@code POST /prepare} on its probes' port. Thread-safe. */
final class PodClient {
  private static final int LONGEST = 16 * 1024;

  private final Settings settings;
  private final HttpClient client = Http.client().build();

  PodClient(Settings settings) {
    this.settings = settings;
  }

  /** Asks once; whatever goes wrong is an answer too. */
  PodAnswer ask(Pod pod) {
    try {
      Optional<URI> target = pod.preparation(settings.preparePort());
      if (target.isEmpty()) {
        return PodAnswer.none(State.UNREACHABLE, "the Pod has no address yet");
      }
      // Read anew: a secret that is mounted changes.
      String token = Files.readString(settings.token()).strip();
      // Its refusal does not repeat the token, as a header's would.
      var unused = ProbeToken.of(token);
      HttpRequest request =
          HttpRequest.newBuilder(target.get())
              .header(ProbeRequest.TOKEN_HEADER, token)
              .POST(BodyPublishers.noBody())
              .build();
      return answer(Http.send(client, request, LONGEST, settings.patience()));
    } catch (HttpTimeoutException e) {
      return PodAnswer.none(State.LATE, "the application: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      return PodAnswer.none(State.GARBAGE, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return PodAnswer.none(State.UNREACHABLE, "the application cannot be asked: " + e);
    }
  }

  private static PodAnswer answer(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status == 401 || status == 403) {
      return PodAnswer.none(
          State.UNAUTHORIZED, "the application does not accept the token: " + status);
    }
    JsonNode body = json(response.body());
    String answer = status + " " + body.path("state").asText();
    return switch (answer) {
      case "200 prepared" -> new PodAnswer(State.PREPARED, "", Duration.ZERO);
      case "202 preparing" ->
          new PodAnswer(
              State.PREPARING,
              "preparing: " + body.path("detail").asText(),
              Duration.ofSeconds(body.path("etaSeconds").asLong()));
      case "409 refused" ->
          new PodAnswer(State.REFUSED, "refused: " + body.path("reason").asText(), Duration.ZERO);
      default ->
          PodAnswer.none(
              State.GARBAGE, "the application offers no preparation, it answers " + answer);
    };
  }

  private static JsonNode json(byte[] body) {
    try {
      return Review.JSON.readTree(body);
    } catch (IOException e) {
      return Review.JSON.createObjectNode();
    }
  }
}
