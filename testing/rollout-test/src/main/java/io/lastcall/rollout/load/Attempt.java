package io.lastcall.rollout.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;

/** A request on its way: what is known before its end. */
record Attempt(Arrival arrival, long planned, long started, boolean reused) {

  /** No connection was to be had. */
  Exchange unconnected(int pod, long connecting, IOException failure) {
    Outcome outcome = Outcome.RESET;
    if (failure instanceof ConnectException) {
      outcome = Outcome.REFUSED;
    } else if (failure instanceof SocketTimeoutException) {
      outcome = Outcome.TIMEOUT;
    }
    return exchange(pod, connecting, outcome, 0, false, "" + failure.getMessage());
  }

  Exchange judged(int pod, long sent, Request request, Reply reply) {
    Outcome outcome = request.judge(reply);
    if (reply instanceof Reply.Complete complete) {
      String detail =
          outcome == Outcome.OK
              ? ""
              : "status %d, %d bytes".formatted(complete.status(), complete.body().length());
      return exchange(pod, sent, outcome, complete.status(), complete.close(), detail);
    }
    return exchange(pod, sent, outcome, 0, false, ((Reply.Broken) reply).detail());
  }

  private Exchange exchange(
      int pod, long sent, Outcome outcome, int status, boolean close, String detail) {
    return new Exchange(
        arrival.node(),
        pod,
        arrival.request().kind(),
        arrival.keepAlive(),
        reused,
        planned,
        started,
        sent,
        System.nanoTime(),
        outcome,
        status,
        close,
        detail);
  }
}
