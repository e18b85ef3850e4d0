package io.lastcall.servlet;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/**
 * Answers the probes, {@code /prestop} and {@code /lameduck} in front of everything that the
 * application has, its security included. Blocks only where a filter in front of ours does not
 * support async.
 */
final class ProbeAnswers {
  private final Probes probes;

  ProbeAnswers(Probes probes) {
    this.probes = probes;
  }

  boolean isProbe(String path) {
    return probes.isProbe(path);
  }

  String[] urlPatterns() {
    return probes.urlPatterns();
  }

  /**
   * Every method: which ones a path allows is for the probes to say.
   *
   * @param beforeWait run before an answer is waited for
   */
  void answer(
      String path, HttpServletRequest request, HttpServletResponse response, Runnable beforeWait)
      throws IOException {
    String query = request.getQueryString();
    String target = path + (query == null ? "" : "?" + query);
    CompletionStage<ProbeAnswer> answer =
        probes.answer(ProbeRequest.of(request.getMethod(), target, request::getHeader));
    if (!answer.toCompletableFuture().isDone()) {
      beforeWait.run();
    }
    if (answer.toCompletableFuture().isDone() || !request.isAsyncSupported()) {
      // Only /prestop waits.
      write(answer.toCompletableFuture().join(), response);
      return;
    }
    AsyncContext async = request.startAsync(request, response);
    async.setTimeout(0);
    answer.thenAccept(late -> finish(late, response, async));
  }

  private static void finish(ProbeAnswer answer, HttpServletResponse response, AsyncContext async) {
    try {
      write(answer, response);
    } catch (IOException gone) {
      // No stack trace: a kubelet may give up a hook that waits.
      async
          .getRequest()
          .getServletContext()
          .log("A probe's client did not wait for its answer: " + gone);
    } finally {
      async.complete();
    }
  }

  private static void write(ProbeAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
  }
}
