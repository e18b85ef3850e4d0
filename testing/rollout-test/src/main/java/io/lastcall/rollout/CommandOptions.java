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
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command's {@code --key=value} options. */
final class CommandOptions {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final Map<CommandOption, List<String>> values = new EnumMap<>(CommandOption.class);
  private final List<String> command;

  private CommandOptions(List<String> command) {
    this.command = new ArrayList<>(command);
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
    CommandOption option =
        Arrays.stream(CommandOption.values())
            .filter(each -> each.key().equals(key))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--%s=%s: unknown option; --help lists all".formatted(key, value)));
    values.computeIfAbsent(option, any -> new ArrayList<>()).add(value);
  }

  private Optional<String> one(CommandOption option) {
    List<String> given = values.getOrDefault(option, List.of());
    if (given.size() > 1) {
      throw option.refuse(given.get(1), "given twice, before as " + given.get(0));
    }
    return given.stream().findFirst();
  }

  RollingUpdate rollout() {
    RollingUpdate rollout = new RollingUpdate();
    one(CommandOption.PORT_PROPERTY).ifPresent(this::insertProperty);
    rollout.command(command.toArray(String[]::new));
    one(CommandOption.PORT_ENV).ifPresent(name -> rollout.environment(name, "{port}"));
    for (String each : values.getOrDefault(CommandOption.ENV, List.of())) {
      int equals = each.indexOf('=');
      if (equals < 1) {
        throw CommandOption.ENV.refuse(each, "no name");
      }
      rollout.environment(each.substring(0, equals), each.substring(equals + 1));
    }
    one(CommandOption.READY).ifPresent(rollout::ready);
    one(CommandOption.READY_PORT).ifPresent(rollout::readyPort);
    one(CommandOption.REPLICAS)
        .ifPresent(text -> rollout.replicas(number(CommandOption.REPLICAS, text)));
    duration(CommandOption.GRACE).ifPresent(rollout::gracePeriod);
    duration(CommandOption.LAST_ROUTER_LEAVES).ifPresent(rollout::lastRouterLeaves);
    duration(CommandOption.PRE_STOP).ifPresent(rollout::preStop);
    duration(CommandOption.START_TIMEOUT).ifPresent(rollout::startTimeout);
    duration(CommandOption.TIMEOUT).ifPresent(rollout::timeout);
    one(CommandOption.SEED).ifPresent(text -> rollout.seed(number(CommandOption.SEED, text)));
    one(CommandOption.NAME).ifPresent(rollout::name);
    one(CommandOption.OUTPUT).map(Path::of).ifPresent(rollout::output);
    if (isHttp2()) {
      rollout.http2();
    }
    if (flag(CommandOption.TLS)) {
      rollout.tls();
    }
    load().forEach(rollout::load);
    // What is only needed in the end is refused at once.
    goneWithin();
    exitCodes();
    flag(CommandOption.READY_WHILE_ROUTED);
    return rollout;
  }

  /** What was asked for beside that nothing is lost. */
  void check(RolloutResult result) {
    result.assertNothingLost();
    goneWithin().ifPresent(result::assertGoneWithin);
    exitCodes().ifPresent(result::assertExitCode);
    if (flag(CommandOption.READY_WHILE_ROUTED)) {
      result.assertReadyWhileRouted();
    }
  }

  private Optional<Duration> goneWithin() {
    return duration(CommandOption.GONE_WITHIN);
  }

  private Optional<int[]> exitCodes() {
    return one(CommandOption.EXIT_CODE).map(codes -> numbers(CommandOption.EXIT_CODE, codes));
  }

  private void insertProperty(String property) {
    String program = command.isEmpty() ? "" : String.valueOf(Path.of(command.get(0)).getFileName());
    if (!program.equals("java")) {
      throw CommandOption.PORT_PROPERTY.refuse(
          property, "the command is '" + program + "', not java; use {port} or --port-env");
    }
    command.add(1, "-D" + property + "={port}");
  }

  private List<LoadRequest> load() {
    List<LoadRequest> load = new ArrayList<>();
    for (String each : values.getOrDefault(CommandOption.GET, List.of())) {
      load.add(common(CommandOption.GET, each, LoadRequest.get(path(each))));
    }
    for (String each : values.getOrDefault(CommandOption.POST, List.of())) {
      LoadRequest post = LoadRequest.post(path(each), body());
      one(CommandOption.CONTENT_TYPE).ifPresent(type -> post.header("Content-Type", type));
      load.add(common(CommandOption.POST, each, post));
    }
    for (String each : values.getOrDefault(CommandOption.WEB_SOCKET, List.of())) {
      load.add(held(CommandOption.WEB_SOCKET, each, LoadRequest.webSocket(path(each))));
    }
    for (String each : values.getOrDefault(CommandOption.EVENT_STREAM, List.of())) {
      load.add(held(CommandOption.EVENT_STREAM, each, LoadRequest.eventStream(path(each))));
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

  private LoadRequest common(CommandOption option, String value, LoadRequest request) {
    afterAt(value).ifPresent(text -> request.rate(decimal(option, text)));
    one(CommandOption.KEEP_ALIVE)
        .ifPresent(text -> request.keepAlive(decimal(CommandOption.KEEP_ALIVE, text)));
    one(CommandOption.EXPECT)
        .ifPresent(text -> request.expect(numbers(CommandOption.EXPECT, text)));
    return withHeaders(request);
  }

  private LoadRequest held(CommandOption option, String value, LoadRequest request) {
    afterAt(value).ifPresent(text -> request.open(number(option, text)));
    return withHeaders(request);
  }

  private LoadRequest withHeaders(LoadRequest request) {
    for (String header : values.getOrDefault(CommandOption.HEADER, List.of())) {
      int colon = header.indexOf(':');
      if (colon < 1) {
        throw CommandOption.HEADER.refuse(header, "no colon");
      }
      request.header(header.substring(0, colon), header.substring(colon + 1).strip());
    }
    return request;
  }

  private String body() {
    String text = one(CommandOption.BODY).orElse("{}");
    try {
      return text.startsWith("@") ? Files.readString(Path.of(text.substring(1))) : text;
    } catch (IOException e) {
      throw new UncheckedIOException(
          CommandOption.BODY.refuse(text, "cannot be read").getMessage(), e);
    }
  }

  private boolean isHttp2() {
    String text = one(CommandOption.PROTOCOL).orElse("http1");
    if (!List.of("http1", "http2").contains(text)) {
      throw CommandOption.PROTOCOL.refuse(text, "no such protocol");
    }
    return text.equals("http2");
  }

  private boolean flag(CommandOption option) {
    String text = one(option).orElse("false");
    if (!List.of("true", "false").contains(text)) {
      throw option.refuse(text, "neither true nor false");
    }
    return text.equals("true");
  }

  private static int[] numbers(CommandOption option, String text) {
    return Arrays.stream(text.split(",", -1)).mapToInt(each -> number(option, each)).toArray();
  }

  private static int number(CommandOption option, String text) {
    if (!text.matches("-?\\d{1,9}")) {
      throw option.refuse(text, "not a whole number");
    }
    return Integer.parseInt(text);
  }

  private static double decimal(CommandOption option, String text) {
    if (!text.matches("\\d{1,9}(\\.\\d{1,9})?")) {
      throw option.refuse(text, "not a number");
    }
    return Double.parseDouble(text);
  }

  private Optional<Duration> duration(CommandOption option) {
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
