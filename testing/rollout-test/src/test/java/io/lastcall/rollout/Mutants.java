package io.lastcall.rollout;

import io.lastcall.rollout.Service.Mutant;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The test's own services: the one that leaves as it should, and those with one fault each. */
final class Mutants {
  static final Duration ROUTERS = Duration.ofSeconds(2);
  static final Duration LONG_GRACE = Duration.ofSeconds(20);

  private Mutants() {}

  /** Twelve faults that services have. */
  static List<Trial> all() {
    return List.of(
        // It says close to nobody either, so that requests in flight on kept connections are that.
        mutant(
            "no filter",
            Mutant.NO_COUNT,
            Kind.CUT_AT_EXIT,
            Kind.ANSWER_CUT_AT_EXIT,
            Kind.NOT_TOLD_TO_CLOSE),
        mutant("no delay", Mutant.NO_DELAY, Kind.EXITED, Kind.STOPPED_LISTENING),
        Trial.notReady("readiness fails first", () -> rollout(Mutant.READINESS_FIRST)),
        Trial.red("shell as PID 1", Mutants::shell, Kind.SHELL),
        Trial.red("-Xrs", () -> rollout(Mutant.NONE, "-Xrs"), Kind.XRS),
        mutant("pool closed in DRAIN", Mutant.POOL_CLOSED, Kind.SERVER_ERROR),
        mutant("System.exit in a hook", Mutant.EXIT_IN_HOOK, Kind.EXIT_IN_HOOK),
        mutant("a step that hangs", Mutant.HANGS, Kind.HANGS),
        mutant("keep-alive never told", Mutant.NEVER_SAYS_CLOSE, Kind.NOT_TOLD_TO_CLOSE),
        Trial.red("HTTP/2 without GOAWAY", () -> http2("NO_GOAWAY"), Kind.NO_GOAWAY),
        mutant("a streamed answer cut", Mutant.STREAM_CUT, Kind.ANSWER_CUT_AT_EXIT),
        mutant("503 while draining", Mutant.UNAVAILABLE, Kind.UNAVAILABLE));
  }

  /** Further ones, and those that lose nothing. */
  static List<Trial> others() {
    return List.of(
        Trial.green("none", () -> rollout(Mutant.NONE).gracePeriod(LONG_GRACE)),
        Trial.green("none, HTTP/2", () -> http2("GOAWAY")),
        Trial.red(
            "delay too short",
            () -> rollout(Mutant.SHORT_DELAY).lastRouterLeaves(ROUTERS.multipliedBy(2)),
            Kind.DELAY_TOO_SHORT),
        mutant("listener closed at once", Mutant.STOPS_LISTENING, Kind.STOPPED_LISTENING),
        Trial.red(
            "WebSockets dropped",
            () -> rollout(Mutant.DROPS_WEB_SOCKETS).load(LoadRequest.webSocket("/ws").open(4)),
            Kind.WEB_SOCKET_DROPPED),
        Trial.red(
            "event streams cut",
            () -> rollout(Mutant.CUTS_EVENTS).load(LoadRequest.eventStream("/events").open(4)),
            Kind.EVENT_STREAM_CUT));
  }

  private static Trial mutant(String name, Mutant mutant, Kind... causes) {
    return Trial.red(name, () -> rollout(mutant), causes);
  }

  static RollingUpdate rollout(Mutant mutant, String... jvmOptions) {
    return Services.rollout(Service.class, mutant.name(), jvmOptions)
        .lastRouterLeaves(ROUTERS)
        .gracePeriod(Duration.ofSeconds(7))
        .load(LoadRequest.get("/fast").rate(40))
        .load(LoadRequest.post("/work", "{}").rate(20))
        .load(LoadRequest.get("/stream").rate(8));
  }

  private static RollingUpdate shell() {
    List<String> words = new ArrayList<>(Services.java(Service.class, Mutant.NONE.name()));
    return rollout(Mutant.NONE).command("sh", "-c", String.join(" ", words) + "; echo over");
  }

  private static RollingUpdate http2(String mode) {
    return Services.rollout(Http2Service.class, mode)
        .http2()
        .lastRouterLeaves(ROUTERS)
        .gracePeriod(Duration.ofSeconds(7))
        .load(LoadRequest.get("/").rate(40))
        .load(LoadRequest.post("/orders", "{}").rate(20));
  }
}
