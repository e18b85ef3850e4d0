package io.lastcall.rollout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command's {@code --key=value} options. */
final class CommandOptions {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** Name, what is allowed, meaning. Those with a default say so. */
  enum Option {
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

    Option(String allowed, String meaning) {
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
  }

  private final Map<Option, List<String>> values = new EnumMap<>(Option.class);
  private final List<String> command;

  private CommandOptions(List<String> command) {
    this.command = new ArrayList<>(command);
  }

  static String help() {
    return "java -jar lastcall-rollout-test.jar --get=/path [--key=value ...] -- COMMAND"
        + " [ARGUMENT ...]\n\n{port} in an argument becomes the pod's port. Exit status: 0 nothing"
        + " lost, 1 lost, 2 not run, 3 no verdict.\n\n"
        + Arrays.stream(Option.values())
            .map(
                option ->
                    "  %-40s %s%n"
                        .formatted("--" + option.key() + "=" + option.allowed, option.meaning))
            .collect(Collectors.joining());
  }

  /**
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  static CommandOptions parse(List<String> options, List<String> command) {
    CommandOptions parsed = new CommandOptions(command);
    for (String option : options) {
      int equals = option.indexOf('=');
      if (!option.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException(
            option + ": options have the form --key=value, and the command follows --");
      }
      parsed.put(option.substring(2, equals), option.substring(equals + 1));
    }
    return parsed;
  }

  private void put(String key, String value) {
    Option option =
        Arrays.stream(Option.values())
            .filter(each -> each.key().equals(key))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--%s=%s: unknown option; --help lists all".formatted(key, value)));
    values.computeIfAbsent(option, any -> new ArrayList<>()).add(value);
  }

  private Optional<String> one(Option option) {
    List<String> given = values.getOrDefault(option, List.of());
    if (given.size() > 1) {
      throw option.refuse(given.get(1), "given twice, before as " + given.get(0));
    }
    return given.stream().findFirst();
  }

  RollingUpdate rollout() {
    RollingUpdate rollout = new RollingUpdate();
    one(Option.PORT_PROPERTY).ifPresent(this::insertProperty);
    rollout.command(command.toArray(String[]::new));
    one(Option.PORT_ENV).ifPresent(name -> rollout.environment(name, "{port}"));
    for (String each : values.getOrDefault(Option.ENV, List.of())) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw Option.ENV.refuse(each, "no name");
      }
      rollout.environment(each.substring(0, equals), each.substring(equals + 1));
    }
    one(Option.READY).ifPresent(rollout::ready);
    one(Option.READY_PORT).ifPresent(rollout::readyPort);
    one(Option.REPLICAS).ifPresent(text -> rollout.replicas(number(Option.REPLICAS, text)));
    duration(Option.GRACE).ifPresent(rollout::gracePeriod);
    duration(Option.LAST_ROUTER_LEAVES).ifPresent(rollout::lastRouterLeaves);
    duration(Option.PRE_STOP).ifPresent(rollout::preStop);
    duration(Option.START_TIMEOUT).ifPresent(rollout::startTimeout);
    duration(Option.TIMEOUT).ifPresent(rollout::timeout);
    one(Option.SEED).ifPresent(text -> rollout.seed(number(Option.SEED, text)));
    one(Option.NAME).ifPresent(rollout::name);
    one(Option.OUTPUT).map(Path::of).ifPresent(rollout::output);
    if (isHttp2()) {
      rollout.http2();
    }
    if (flag(Option.TLS)) {
      rollout.tls();
    }
    load().forEach(rollout::load);
    // What is only needed in the end is refused at once.
    goneWithin();
    exitCodes();
    flag(Option.READY_WHILE_ROUTED);
    return rollout;
  }

  /** What was asked for beside that nothing is lost. */
  void check(RolloutResult result) {
    result.assertNothingLost();
    goneWithin().ifPresent(result::assertGoneWithin);
    exitCodes().ifPresent(result::assertExitCode);
    if (flag(Option.READY_WHILE_ROUTED)) {
      result.assertReadyWhileRouted();
    }
  }

  private Optional<Duration> goneWithin() {
    return duration(Option.GONE_WITHIN);
  }

  private Optional<int[]> exitCodes() {
    return one(Option.EXIT_CODE).map(codes -> numbers(Option.EXIT_CODE, codes));
  }

  private void insertProperty(String property) {
    String program = command.isEmpty() ? "" : String.valueOf(Path.of(command.get(0)).getFileName());
    if (!program.equals("java")) {
      throw Option.PORT_PROPERTY.refuse(
          property, "the command is '" + program + "', not java; use {port} or --port-env");
    }
    command.add(1, "-D" + property + "={port}");
  }

  private List<LoadRequest> load() {
    List<LoadRequest> load = new ArrayList<>();
    for (String each : values.getOrDefault(Option.GET, List.of())) {
      load.add(common(Option.GET, each, LoadRequest.get(path(each))));
    }
    for (String each : values.getOrDefault(Option.POST, List.of())) {
      LoadRequest post = LoadRequest.post(path(each), body());
      one(Option.CONTENT_TYPE).ifPresent(type -> post.header("Content-Type", type));
      load.add(common(Option.POST, each, post));
    }
    for (String each : values.getOrDefault(Option.WEB_SOCKET, List.of())) {
      load.add(held(Option.WEB_SOCKET, each, LoadRequest.webSocket(path(each))));
    }
    for (String each : values.getOrDefault(Option.EVENT_STREAM, List.of())) {
      load.add(held(Option.EVENT_STREAM, each, LoadRequest.eventStream(path(each))));
    }
    return load;
  }

  private static String path(String value) {
    int at = value.lastIndexOf('@');
    return at < 0 ? value : value.substring(0, at);
  }

  private static Optional<String> afterAt(String value) {
    int at = value.lastIndexOf('@');
    return at < 0 ? Optional.empty() : Optional.of(value.substring(at + 1));
  }

  private LoadRequest common(Option option, String value, LoadRequest request) {
    afterAt(value).ifPresent(text -> request.rate(decimal(option, text)));
    one(Option.KEEP_ALIVE).ifPresent(text -> request.keepAlive(decimal(Option.KEEP_ALIVE, text)));
    one(Option.EXPECT).ifPresent(text -> request.expect(numbers(Option.EXPECT, text)));
    return withHeaders(request);
  }

  private LoadRequest held(Option option, String value, LoadRequest request) {
    afterAt(value).ifPresent(text -> request.open(number(option, text)));
    return withHeaders(request);
  }

  private LoadRequest withHeaders(LoadRequest request) {
    for (String header : values.getOrDefault(Option.HEADER, List.of())) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw Option.HEADER.refuse(header, "no colon");
      }
      request.header(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return request;
  }

  private String body() {
    String text = one(Option.BODY).orElse("{}");
    try {
      return text.startsWith("@") ? Files.readString(Path.of(text.substring(1))) : text;
    } catch (IOException e) {
      throw new UncheckedIOException(Option.BODY.refuse(text, "cannot be read").getMessage(), e);
    }
  }

  private boolean isHttp2() {
    String text = one(Option.PROTOCOL).orElse("http1");
    if (!List.of("http1", "http2").contains(text)) {
      throw Option.PROTOCOL.refuse(text, "no such protocol");
    }
    return text.equals("http2");
  }

  private boolean flag(Option option) {
    String text = one(option).orElse("false");
    if (!List.of("true", "false").contains(text)) {
      throw option.refuse(text, "neither true nor false");
    }
    return text.equals("true");
  }

  private static int[] numbers(Option option, String text) {
    return Arrays.stream(text.split(",", -1)).mapToInt(each -> number(option, each)).toArray();
  }

  private static int number(Option option, String text) {
    if (!text.matches("-?\\d{1,9}")) {
      throw option.refuse(text, "not a whole number");
    }
    return Integer.parseInt(text);
  }

  private static double decimal(Option option, String text) {
    if (!text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      throw option.refuse(text, "not a number");
    }
    return Double.parseDouble(text);
  }

  private Optional<Duration> duration(Option option) {
    return one(option)
        .map(
            text -> {
              Matcher matcher = DURATION.matcher(text);
              if (!matcher.matches()) {
                throw option.refuse(text, "not a whole number with a unit (ms, s, m, h)");
              }
              long amount = Long.parseLong(matcher.group(1));
              return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
              };
            });
  }
}
