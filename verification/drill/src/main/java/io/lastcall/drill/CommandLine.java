package io.lastcall.drill;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns {@code --key=value} arguments into settings, or says what is wrong and what is allowed. */
final class CommandLine {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
  private static final Pattern SERVER = Pattern.compile("[A-Za-z0-9_-]+");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final Duration RESERVES = Duration.ofSeconds(2);

  private final Map<Option, String> values = new EnumMap<>(Option.class);

  private CommandLine(String... arguments) {
    for (String argument : arguments) {
      put(argument);
    }
  }

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException naming key, value and what is allowed
   */
  static DrillSettings parse(String... arguments) {
    return new CommandLine(arguments).settings();
  }

  private void put(String argument) {
    int equals = argument.indexOf('=');
    if (!argument.startsWith("--") || equals < 0) {
      throw new IllegalArgumentException(argument + ": options have the form --key=value");
    }
    String key = argument.substring(2, equals);
    for (Option option : Option.values()) {
      if (option.key().equals(key)) {
        String previous = values.put(option, argument.substring(equals + 1));
        if (previous != null) {
          throw option.refuse(argument.substring(equals + 1), "given twice, before as " + previous);
        }
        return;
      }
    }
    throw new IllegalArgumentException(
        "%s: unknown option --%s; the nearest is --%s; --help lists all"
            .formatted(argument, key, nearest(key)));
  }

  private DrillSettings settings() {
    Duration grace = duration(Option.GRACE, Duration.ofMillis(100), HOUR);
    Duration delay = duration(Option.DELAY, Duration.ZERO, HOUR);
    if (delay.compareTo(grace) >= 0) {
      throw Option.DELAY.refuse(text(Option.DELAY), "not below --grace=" + text(Option.GRACE));
    }
    int nodes = integer(Option.NODES, 1, 1000);
    int neverLeave = integer(Option.NEVER_LEAVE, 0, nodes);
    return new DrillSettings(
        servers(),
        wholeNumber(Option.SEED),
        integer(Option.SEEDS, 1, 1000),
        integer(Option.RATE, 1, 5000),
        nodes,
        grace,
        delay,
        maxLateness(delay),
        neverLeave,
        flag(Option.NAIVE),
        agent(),
        http2(),
        share(Option.KEEP_ALIVE),
        integer(Option.IDLE, 0, 100),
        flag(Option.WATCH_IDLE),
        duration(Option.LONGEST_WORK, Duration.ofMillis(100), Duration.ofMinutes(1)),
        duration(Option.WARM_UP, Duration.ZERO, TEN_MINUTES),
        duration(Option.STEP, Duration.ZERO, TEN_MINUTES),
        duration(Option.TAIL, Duration.ZERO, TEN_MINUTES),
        lastStretch(grace, delay),
        duration(Option.TIMEOUT, Duration.ofMillis(100), TEN_MINUTES),
        java(),
        path(Option.EXAMPLES),
        path(Option.OUTPUT));
  }

  private String text(Option option) {
    String value = values.get(option);
    return value == null ? option.initial() : value;
  }

  private List<String> servers() {
    List<String> names = Arrays.asList(text(Option.SERVERS).split(",", -1));
    for (String name : names) {
      if (!SERVER.matcher(name).matches()) {
        throw Option.SERVERS.refuse(text(Option.SERVERS), "'" + name + "' is not a folder name");
      }
    }
    return names;
  }

  private Duration maxLateness(Duration delay) {
    return values.containsKey(Option.MAX_LATENESS)
        ? duration(Option.MAX_LATENESS, Duration.ZERO, HOUR)
        : delay.multipliedBy(4).dividedBy(5);
  }

  /**
   * From where on Lastcall's own defaults let it refuse, if there is something to close: behind the
   * reserve and EXIT come CLOSE_CONNECTIONS, a quarter of what is left, and the last half of DRAIN.
   * Without anything to close it refuses later, by what DRAIN gets of CLOSE_CONNECTIONS.
   */
  private Duration lastStretch(Duration grace, Duration delay) {
    if (values.containsKey(Option.LAST_STRETCH)) {
      return duration(Option.LAST_STRETCH, Duration.ZERO, grace);
    }
    Duration rest = grace.minus(delay).minus(RESERVES);
    if (rest.isNegative()) {
      return grace.minus(delay);
    }
    Duration close = atMostFiveSeconds(rest.dividedBy(4));
    Duration late = atMostFiveSeconds(rest.minus(close).dividedBy(2));
    return RESERVES.plus(close).plus(late);
  }

  private static Duration atMostFiveSeconds(Duration wanted) {
    return wanted.compareTo(FIVE_SECONDS) < 0 ? wanted : FIVE_SECONDS;
  }

  private Path java() {
    if (!values.containsKey(Option.JAVA)) {
      return Path.of(System.getProperty("java.home"), "bin", "java");
    }
    Path java = path(Option.JAVA);
    if (!Files.isExecutable(java) || Files.isDirectory(java)) {
      throw Option.JAVA.refuse(text(Option.JAVA), "no such executable");
    }
    return java;
  }

  private Optional<Path> agent() {
    if (!values.containsKey(Option.AGENT)) {
      return Optional.empty();
    }
    Path agent = path(Option.AGENT);
    if (!Files.isReadable(agent) || Files.isDirectory(agent)) {
      throw Option.AGENT.refuse(text(Option.AGENT), "no such file");
    }
    return Optional.of(agent.toAbsolutePath());
  }

  private Path path(Option option) {
    String value = text(option);
    if (value.isBlank()) {
      throw option.refuse(value, "empty");
    }
    return Path.of(value);
  }

  private boolean http2() {
    return switch (text(Option.PROTOCOL)) {
      case "http1" -> false;
      case "h2c" -> true;
      default -> throw Option.PROTOCOL.refuse(text(Option.PROTOCOL), "no protocol of the drill");
    };
  }

  private boolean flag(Option option) {
    return switch (text(option)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw option.refuse(text(option), "neither true nor false");
    };
  }

  private long wholeNumber(Option option) {
    try {
      return Long.parseLong(text(option));
    } catch (NumberFormatException e) {
      throw option.refuse(text(option), "not a whole number");
    }
  }

  private int integer(Option option, int least, int most) {
    long value = wholeNumber(option);
    if (value < least || value > most) {
      throw option.refuse(text(option), "out of range");
    }
    return (int) value;
  }

  private double share(Option option) {
    try {
      BigDecimal value = new BigDecimal(text(option));
      if (value.signum() >= 0 && value.compareTo(BigDecimal.ONE) <= 0) {
        return value.doubleValue();
      }
    } catch (NumberFormatException e) {
      throw option.refuse(text(option), "not a number");
    }
    throw option.refuse(text(option), "out of range");
  }

  private Duration duration(Option option, Duration least, Duration most) {
    Matcher matcher = DURATION.matcher(text(option));
    if (!matcher.matches()) {
      throw option.refuse(text(option), "not a whole number with a unit (ms, s, m, h)");
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration value =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          default -> Duration.ofHours(amount);
        };
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw option.refuse(text(option), "out of range");
    }
    return value;
  }

  private static String nearest(String key) {
    return Arrays.stream(Option.values())
        .map(Option::key)
        .min(Comparator.comparingInt(known -> editDistance(known, key)))
        .orElseThrow();
  }

  private static int editDistance(String left, String right) {
    int[] previous = new int[right.length() + 1];
    Arrays.setAll(previous, column -> column);
    for (int row = 1; row <= left.length(); row++) {
      int[] current = new int[right.length() + 1];
      current[0] = row;
      for (int column = 1; column <= right.length(); column++) {
        int replaced =
            previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
        int inserted = Math.min(previous[column], current[column - 1]) + 1;
        current[column] = Math.min(replaced, inserted);
      }
      previous = current;
    }
    return previous[right.length()];
  }
}
