package io.lastcall.drill;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The options of the command line: name, default, what is allowed, what it means. */
enum Option {
  SERVERS("tomcat,netty", "names of built servers, by comma", "the servers to roll"),
  SEED("1", "a whole number", "decides arrivals, kinds, nodes and departures"),
  SEEDS("1", "1 to 1000", "how many runs, with seeds counting up from --seed"),
  RATE("450", "1 to 5000", "requests per second, whether or not they are answered"),
  NODES("40", "1 to 1000", "client nodes, each with its own view of the endpoints"),
  GRACE("12s", "100ms to 1h", "SIGTERM to SIGKILL; LASTCALL_GRACE_PERIOD of the pods"),
  DELAY("4s", "0s to 1h, below --grace", "LASTCALL_PROPAGATION_DELAY of the pods"),
  MAX_LATENESS("", "0s to 1h", "the last node leaves by then; 0.8 of --delay if not given"),
  NEVER_LEAVE("0", "0 to --nodes", "how many of the nodes never learn of a removal"),
  NAIVE("true", "true or false", "also run with NAIVE=true, first"),
  AGENT(
      "", "the jar of lastcall-agent", "run with NAIVE=true and this agent, in place of Lastcall"),
  PROTOCOL("http1", "http1 or h2c", "what the clients speak; h2c is HTTP/2 without TLS"),
  KEEP_ALIVE("0.5", "0 to 1", "share of the load on keep-alive connections"),
  IDLE("3", "0 to 100", "idle keep-alive connections a node holds at most"),
  WATCH_IDLE("true", "true or false", "close an idle connection on FIN, not only on its next use"),
  LONGEST_WORK("1500ms", "100ms to 1m", "slow and streaming requests take 50 ms to this"),
  WARM_UP("1s", "0s to 10m", "load before the first removal"),
  STEP("1500ms", "0s to 10m", "first SIGTERM to second SIGTERM"),
  TAIL("500ms", "0s to 10m", "load after the last pod and the last node have gone"),
  LAST_STRETCH(
      "", "0s to --grace", "with --never-leave: 503 is no loss in this last part of --grace"),
  TIMEOUT("8s", "100ms to 10m", "how long a client waits for bytes"),
  JAVA("", "an executable file", "the JVM of the pods; this one if not given"),
  EXAMPLES("verification/drill/subjects", "a folder", "where */target/NAME.jar of each server is"),
  OUTPUT("target/rolling-update.html", "a file name", "the page with the picture; logs beside it");

  private final String initial;
  private final String allowed;
  private final String meaning;

  Option(String initial, String allowed, String meaning) {
    this.initial = initial;
    this.allowed = allowed;
    this.meaning = meaning;
  }

  /** The name as it is typed, without the dashes. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The value if none is given; empty where it follows from others. */
  String initial() {
    return initial;
  }

  IllegalArgumentException refuse(String value, String why) {
    return new IllegalArgumentException(
        "--%s=%s: %s; allowed: %s (%s)".formatted(key(), value, why, allowed, meaning));
  }

  static String help() {
    return Arrays.stream(values())
        .map(
            option ->
                "  %-46s %s; %s%n"
                    .formatted(
                        "--" + option.key() + "=" + option.initial, option.meaning, option.allowed))
        .collect(Collectors.joining());
  }
}
