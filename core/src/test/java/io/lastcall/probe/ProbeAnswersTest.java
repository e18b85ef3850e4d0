package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeAnswersTest {
  private static final String TOKEN = "0123456789abcdef";

  private final Subject subject = new Subject();
  private final Probes probes = new Probes(subject, ProbeToken.of(TOKEN), Ticker.system());
  private final Probes tokenless = new Probes(subject, ProbeToken.none(), Ticker.system());

  private ProbeAnswer ask(String method, String target, Map<String, String> headers) {
    CompletableFuture<ProbeAnswer> answer =
        probes.answer(ProbeRequest.of(method, target, headers::get)).toCompletableFuture();
    assertTrue(answer.isDone());
    return answer.join();
  }

  private ProbeAnswer get(String target) {
    return ask("GET", target, Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/livez",
        "//livez",
        "/readyz?verbose",
        "/startupz",
        "/prestop",
        "//prestop",
        "/prestop/x",
        "/lameduck?",
        "http://host:8080/readyz",
        "https://readyz//livez?verbose"
      })
  void isProbe_ourPaths_areNoTraffic(String target) {
    assertTrue(probes.isProbe(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "//",
        "///livez",
        "/live",
        "/livez/",
        "/livezx",
        "/prestopx",
        "/orders",
        "/report",
        "/schedule",
        "/product/1",
        "*",
        "/s",
        "host:443",
        "http://readyz",
        "http://host?/readyz",
        "http://host?a=/readyz",
        "http://host/a/readyz",
        "a/b/c/readyz"
      })
  void isProbe_anythingElse_isTraffic(String target) {
    assertFalse(probes.isProbe(target));
    assertEquals(404, get(target).status());
  }

  @Test
  void isProbe_withoutAToken_prestopAndLameduckAreTheApplications() {
    assertFalse(tokenless.isProbe("/prestop"));
    assertFalse(tokenless.isProbe("/lameduck/" + TOKEN));
    assertTrue(tokenless.isProbe("/readyz"));
  }

  @Test
  void answer_ready_isOkAndNotToBeStored() {
    ProbeAnswer answer = get("/readyz");
    assertEquals(200, answer.status());
    assertEquals("ok\n", answer.body());
    assertEquals("no-store", answer.headers().get("Cache-Control"));
    assertEquals("text/plain; charset=utf-8", answer.headers().get("Content-Type"));
    assertEquals("3", answer.headers().get("Content-Length"));
  }

  @Test
  void answer_head_hasTheHeadersOfGetAndNoBody() {
    ProbeAnswer answer = ask("HEAD", "/readyz?verbose", Map.of());
    assertEquals(200, answer.status());
    assertEquals("", answer.body());
    assertEquals(get("/readyz?verbose").headers(), answer.headers());
  }

  @Test
  void answer_post_isNotAllowedAndSaysWhatIs() {
    ProbeAnswer answer = ask("POST", "/readyz", Map.of());
    assertEquals(405, answer.status());
    assertEquals("GET, HEAD", answer.headers().get("Allow"));
  }

  @Test
  void answer_notStarted_failsReadinessAndStartUpButNotLiveness() {
    subject.started = false;
    assertEquals(503, get("/readyz").status());
    assertEquals(
        "[-]started failed: start-up is not over\nstartupz check failed\n",
        get("/startupz").body());
    assertEquals(200, get("/livez").status());
  }

  @Test
  void answer_unready_saysWhyWithoutBeingAsked() {
    subject.unready = Optional.of("shutting down");
    assertEquals("[-]traffic failed: shutting down\nreadyz check failed\n", get("/readyz").body());
    assertFalse(probes.isReady());
  }

  private ProbeAnswer json(String target) {
    return ask("GET", target, Map.of("Accept", "application/json"));
  }

  @Test
  void answer_failsAtOnce_is503() {
    Probes broken =
        FixedProbes.of(
            () -> {
              throw new StackOverflowError("of its own");
            },
            () -> true);
    ProbeRequest request = ProbeRequest.of("GET", "/readyz", name -> null);
    ProbeAnswer answer = broken.answer(request).toCompletableFuture().join();
    assertEquals(503, answer.status());
    assertEquals("failed\n", answer.body());
  }

  @Test
  void answer_acceptJson_hasTheShapeOfMicroProfileHealth() {
    assertEquals(
        "{\"status\":\"UP\",\"checks\":[{\"name\":\"traffic\",\"status\":\"UP\"}]}",
        json("/readyz").body());
    subject.unready = Optional.of("full: \"9\"");
    ProbeAnswer answer = json("/readyz");
    assertEquals(503, answer.status());
    assertEquals("application/json", answer.headers().get("Content-Type"));
    assertEquals(
        "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"traffic\",\"status\":\"DOWN\","
            + "\"data\":{\"reason\":\"full: \\\"9\\\"\"}}]}",
        answer.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/prestop",
        "/prestop/",
        "/prestop/wrong",
        "/prestop/0123456789abcdeF",
        "/prestop?0123456789abcdef"
      })
  void prestop_withoutTheToken_isNotFoundWhateverTheMethod(String target) {
    assertEquals(404, get(target).status());
    assertEquals(404, ask("DELETE", target, Map.of()).status());
    assertEquals(0, subject.preStops);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/prestop/" + TOKEN,
        "//prestop/" + TOKEN + "?x",
        "http://prestop/prestop/" + TOKEN
      })
  void prestop_withTheTokenAsAPathSegment_answersWhenPropagationIsOver(String target) {
    CompletionStage<ProbeAnswer> answer =
        probes.answer(ProbeRequest.of("GET", target, name -> null));
    assertFalse(answer.toCompletableFuture().isDone());
    subject.propagated.complete(null);
    assertEquals(200, answer.toCompletableFuture().join().status());
  }

  @Test
  void prestop_withTheTokenAsAHeader_begins() {
    subject.propagated.complete(null);
    assertEquals(200, ask("POST", "/prestop", Map.of("X-Lastcall-Token", TOKEN)).status());
    assertEquals(404, ask("POST", "/prestop", Map.of("X-Lastcall-Token", "x")).status());
    assertEquals(405, ask("PUT", "/prestop", Map.of("X-Lastcall-Token", TOKEN)).status());
    assertEquals(1, subject.preStops);
  }

  @Test
  void prestop_beforeStarted_answersAtOnceAndBeginsNothing() {
    subject.started = false;
    assertEquals(200, get("/prestop/" + TOKEN).status());
    assertEquals(0, subject.preStops);
  }

  @Test
  void guarded_pathOfAnExtension_opensByTheTokenInTheHeaderAlone() {
    probes.guarded(
        "/prepare", request -> CompletableFuture.completedFuture(ProbeAnswer.text(202, "begun")));
    assertEquals(202, ask("POST", "/prepare?now", Map.of("X-Lastcall-Token", TOKEN)).status());
    assertEquals(403, ask("POST", "/prepare", Map.of("X-Lastcall-Token", "x" + TOKEN)).status());
    assertEquals(403, ask("POST", "/prepare", Map.of()).status());
    assertEquals(404, ask("POST", "/prepare/" + TOKEN, Map.of()).status());
    assertFalse(probes.isProbe("/prepare"), "the application's on the service's port");
  }

  @Test
  void lameduck_postAndDelete_enterAndLeave() {
    assertEquals(405, get("/lameduck/" + TOKEN).status());
    assertEquals(200, ask("POST", "/lameduck/" + TOKEN, Map.of()).status());
    assertTrue(subject.outOfService);
    assertEquals(200, ask("DELETE", "/lameduck/" + TOKEN, Map.of()).status());
    assertFalse(subject.outOfService);
    assertEquals(404, ask("POST", "/lameduck", Map.of()).status());
  }

  @Test
  void token_shown_isMasked() {
    assertEquals("set", ProbeToken.of(TOKEN).toString());
    assertEquals("off", ProbeToken.none().toString());
    assertFalse(ProbeToken.none().matches(""));
  }

  private static final class Subject implements ProbeSubject {
    boolean started = true;
    Optional<String> unready = Optional.empty();
    boolean outOfService;
    int preStops;
    final CompletableFuture<Void> propagated = new CompletableFuture<>();

    @Override
    public boolean isStarted() {
      return started;
    }

    @Override
    public Optional<String> unready() {
      return unready;
    }

    @Override
    public boolean isEnding() {
      return unready.isPresent();
    }

    @Override
    public CompletionStage<?> preStop(Wait wait) {
      preStops++;
      return propagated;
    }

    @Override
    public void takeOutOfService(boolean on) {
      outOfService = on;
    }
  }
}
