package io.lastcall.testing;

import io.lastcall.probe.ProbeRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks a process to prepare, as the admission webhook does. */
public final class PrepareRequest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private PrepareRequest() {}

  /**
   * Sends {@code POST /prepare}.
   *
   * @param port the probes' own
   * @return the answer's status
   */
  public static int send(int port, String token) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prepare"))
            .header(ProbeRequest.TOKEN_HEADER, token)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
