package io.lastcall.rollout.verdict;

import static io.lastcall.rollout.load.RootLocale.format;
import static io.lastcall.rollout.load.RootLocale.span;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.PodHistory.Termination;
import io.lastcall.rollout.cluster.ProcessFacts;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.util.List;
import java.util.Locale;

/** The sentences: what happened at the pod, and what to do. */
final class Words {
  private static final String SERVE_ON =
      "Serve on until they have left: a delay in the service before it stops, or a preStop hook that"
          + " sleeps";

  private static final long LAST_STRETCH = 3_000_000_000L;

  private final Recording run;

  Words(Recording run) {
    this.run = run;
  }

  /** Whether anything shows that a pod noticed SIGTERM before its end. */
  boolean reacted(PodHistory pod, Termination end) {
    return end.evidence().notReady().isPresent()
        || end.evidence().refusing().stream().anyMatch(time -> time - end.gone() < 0)
        || run.exchanges().stream()
            .filter(each -> each.pod() == pod.index())
            .filter(each -> each.ended() - end.sigterm() > 0 && each.ended() - end.gone() < 0)
            .anyMatch(
                each ->
                    each.close()
                        || each.outcome() == Outcome.REFUSED
                        || each.outcome() == Outcome.UNAVAILABLE);
  }

  /** For a kind whose pod was not leaving. */
  String withoutEnd(Kind kind) {
    return "the pod was not leaving ("
        + kind.name().toLowerCase(Locale.ROOT)
        + "): it was ready before it could serve, or did not stand the load";
  }

  String why(Kind kind, Termination end, List<Exchange> some) {
    String gone = span(end.gone() - end.sigterm());
    String routers = span(end.lastLeave() - end.sigterm());
    return switch (kind) {
      case SHELL, XRS, NO_HANDLER, EXIT_IN_HOOK, HANGS, IGNORES -> killed(kind, end);
      case EXITED ->
          format(
              "it exited %s after SIGTERM, while routers still sent, for up to %s. %s",
              gone, routers, SERVE_ON);
      case STOPPED_LISTENING ->
          format(
              "it stopped listening at SIGTERM, while routers still sent, for up to %s. %s",
              routers, SERVE_ON);
      case DELAY_TOO_SHORT ->
          format(
              "it stopped listening after %s, and the last router left after %s. Its delay is too"
                  + " short: raise it above that",
              span(firstRefusal(some, end)), routers);
      case NOT_TOLD_TO_CLOSE -> notTold(end);
      case NO_GOAWAY ->
          "it ended connections of HTTP/2 without a GOAWAY, so clients went on sending. Send GOAWAY"
              + " while the service still serves (RFC 9113, section 6.8)";
      case GOAWAY_TOO_EARLY ->
          "its GOAWAY left out requests that were on their way. Send a first GOAWAY with the highest"
              + " stream number, and the final one a round trip later (RFC 9113, section 6.8)";
      case CUT_AT_EXIT ->
          "they were in flight as the process ended. Wait for requests in flight before the exit";
      case ANSWER_CUT_AT_EXIT ->
          "their answers had begun, and were cut as the process ended. Wait for streamed and"
              + " asynchronous answers too, not only until the handler has returned";
      case CUT_BEFORE_EXIT ->
          format(
              "they were cut while the process lived, until %s after SIGTERM. Close connections only"
                  + " after the answers, and the listener only after what it has accepted",
              gone);
      case UNAVAILABLE ->
          format(
              "it answered 503 while routers still sent, for up to %s. Serve late requests as"
                  + " before; refuse nothing until they have left",
              routers);
      case SERVER_ERROR ->
          format(
              "it answered %d: something that requests need, a pool or an executor, was closed"
                  + " before the last request. Close it after the requests",
              some.get(0).status());
      case OTHER_ANSWER ->
          format(
              "the answers were others than before SIGTERM (%s). See the service's log",
              some.get(0).detail());
      case NO_ANSWER ->
          "it accepted them, and never answered. Stop the threads that serve only after the last"
              + " request";
      case WEB_SOCKET_DROPPED ->
          "they ended without a close frame. Send 1001, going away, before the exit (RFC 6455,"
              + " section 7.4.1)";
      case EVENT_STREAM_CUT ->
          "the streams were cut in the middle. End them in due form before the exit: the client"
              + " reconnects";
      case NOT_LEAVING -> "they failed before SIGTERM: the service did not stand the load";
    };
  }

  private static long firstRefusal(List<Exchange> some, Termination end) {
    return some.stream()
        .mapToLong(each -> each.ended() - end.sigterm())
        .filter(time -> time >= 0)
        .min()
        .orElse(0);
  }

  private String notTold(Termination end) {
    boolean told = run.sentAfterSigterm().stream().anyMatch(Exchange::close);
    return (told
            ? "it closed kept connections in the moment of their next request, though some had been"
                + " told to close"
            : "it ended kept connections, and no answer after SIGTERM had said Connection: close")
        + ". Say Connection: close on every answer while the service still serves; it was gone "
        + span(end.gone() - end.sigterm())
        + " after SIGTERM";
  }

  /** Whether clients used connections that they had kept until shortly before the end. */
  private boolean isHeldByClients(Termination end) {
    return run.exchanges().stream()
        .filter(each -> end.equals(run.pods().get(each.pod()).termination().orElse(null)))
        .anyMatch(
            each ->
                each.reused()
                    && !each.close()
                    && each.outcome() == Outcome.OK
                    && end.gone() - each.ended() < LAST_STRETCH);
  }

  private String killed(Kind kind, Termination end) {
    ProcessFacts process = end.evidence().process();
    String kill = "SIGKILL " + span(end.gone() - end.sigterm()) + " after SIGTERM: ";
    return kill
        + switch (kind) {
          case SHELL ->
              format(
                  "the first process is a shell (%s), and passes no signal on to %s. Start the"
                      + " service by exec, or make it the container's command itself",
                  process.command(), String.join(", ", process.children()));
          case XRS -> "the JVM runs with -Xrs, and does not handle SIGTERM. Remove -Xrs";
          case NO_HANDLER ->
              format(
                  "%s has no handler for SIGTERM, and the kernel drops the signal for the first"
                      + " process of a container. Install one",
                  process.command());
          case EXIT_IN_HOOK ->
              "a shutdown hook calls System.exit, which waits for the hooks, and so for itself."
                  + " Remove the call; Runtime.halt would end the process";
          case HANGS ->
              "it began to shut down, and a step did not end"
                  + ThreadDump.hangingHook(end.evidence().lastWords())
                      .map(where -> " (" + where + ")")
                      .orElse("")
                  + (isHeldByClients(end)
                      ? ". Clients used kept connections to the end, and were not told to close: say"
                          + " Connection: close on every answer from SIGTERM on"
                      : "")
                  + ". Bound the step by a timeout, or raise the grace period; the end of its log"
                  + " says where it was";
          default ->
              "it has a handler for SIGTERM, and nothing shows that it began to shut down. See what"
                  + " the handler does";
        };
  }
}
