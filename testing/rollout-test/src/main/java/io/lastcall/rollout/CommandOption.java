package io.lastcall.rollout;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The command's options: name, what is allowed, meaning; those with a default say so. */
enum CommandOption {
  GET("PATH[@RATE]", "requests of this path, 50 per second; may be repeated"),
  POST("PATH[@RATE]", "the same, with --body; may be repeated"),
  BODY("text, or @FILE", "of each POST; {} by default"),
  CONTENT_TYPE("a type", "of each POST; application/json by default"),
  HEADER("NAME: VALUE", "a header field of every request; may be repeated"),
  EXPECT("statuses, by comma", "that are right; 200 to 399 by default"),
  WEB_SOCKET("PATH[@COUNT]", "WebSockets held open, 10 by default; may be repeated"),
  EVENT_STREAM("PATH[@COUNT]", "event streams held open, 10 by default; may be repeated"),
  KEEP_ALIVE("0 to 1", "share of the requests on kept connections; 0.5 by default"),
  PROTOCOL("http1 or http2", "what clients speak; http1 by default"),
  TLS("true or false", "with any certificate; false by default"),
  PORT_PROPERTY("a system property", "gets the pod's port, with java as the command"),
  PORT_ENV("a variable", "gets the pod's port"),
  ENV("NAME=VALUE", "a variable of the pods; may be repeated"),
  READY("PATH", "answers 200 to 399 when a pod is ready; /readyz by default"),
  READY_PORT("a name", "of the {port:NAME} where readiness is asked"),
  REPLICAS("1 to 10", "pods that are replaced; 2 by default"),
  GRACE("1s to 1h", "removal to SIGKILL; 30s by default"),
  LAST_ROUTER_LEAVES("0s to 1h", "after the removal; 8s by default"),
  PRE_STOP("0s to below --grace", "removal to SIGTERM; 0s by default"),
  START_TIMEOUT("1s to 1h", "until a pod is ready; 60s by default"),
  TIMEOUT("100ms to 1h", "how long a client waits for bytes; 8s by default"),
  SEED("a whole number", "decides the times; 1 by default"),
  NAME("a name", "of the files in --output; rollout by default"),
  OUTPUT("a folder", "for picture and logs; target/rollout-test by default"),
  GONE_WITHIN("a duration", "also fails if a pod takes longer after SIGTERM"),
  EXIT_CODE("numbers, by comma", "also fails on another one"),
  READY_WHILE_ROUTED("true or false", "also fails if readiness fails too early");

  private final String allowed;
  private final String meaning;

  CommandOption(String allowed, String meaning) {
    this.allowed = allowed;
    this.meaning = meaning;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  IllegalArgumentException refuse(String value, String why) {
    return new IllegalArgumentException(
        "--%s=%s: %s; allowed: %s (%s)".formatted(key(), value, why, allowed, meaning));
  }

  static String help() {
    return "java -jar lastcall-rollout-test.jar --get=/path [--key=value ...] -- COMMAND"
        + " [ARGUMENT ...]\n\n{port} in an argument becomes the pod's port. Exit status: 0 nothing"
        + " lost, 1 lost, 2 not run, 3 no verdict.\n\n"
        + Arrays.stream(values())
            .map(
                option ->
                    "  %-40s %s%n"
                        .formatted("--" + option.key() + "=" + option.allowed, option.meaning))
            .collect(Collectors.joining());
  }
}
