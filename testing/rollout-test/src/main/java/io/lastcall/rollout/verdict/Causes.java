package io.lastcall.rollout.verdict;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Names the causes of what was lost: those of kills first, then by how much each cost. */
public final class Causes {
  private final Recording run;
  private final Words words;
  private final Map<Kind, List<Exchange>> lost = new EnumMap<>(Kind.class);
  private final Map<Kind, PodHistory.Termination> ends = new EnumMap<>(Kind.class);

  private Causes(Recording run, List<Exchange> failures) {
    this.run = run;
    words = new Words(run);
    Map<Integer, Sorter> sorters = new TreeMap<>();
    for (PodHistory pod : run.pods()) {
      pod.termination()
          .ifPresent(
              end -> {
                Kind kill = Sorter.kill(end, words.reacted(pod, end));
                if (end.killed()) {
                  lost.putIfAbsent(kill, new ArrayList<>());
                  ends.putIfAbsent(kill, end);
                }
                sorters.put(pod.index(), new Sorter(run, pod, end, kill));
              });
    }
    for (Exchange each : failures) {
      Sorter sorter = sorters.get(each.pod());
      Kind kind = sorter == null ? Kind.NOT_LEAVING : sorter.kind(each);
      lost.computeIfAbsent(kind, any -> new ArrayList<>()).add(each);
      run.pods().get(each.pod()).termination().ifPresent(end -> ends.putIfAbsent(kind, end));
    }
  }

  /**
   * Sorts.
   *
   * @param failures the exchanges that count as lost
   */
  public static List<Cause> of(Recording run, List<Exchange> failures) {
    return new Causes(run, failures).sentences();
  }

  private List<Cause> sentences() {
    List<Cause> causes = new ArrayList<>();
    lost.forEach((kind, some) -> causes.add(new Cause(kind, some.size(), sentence(kind, some))));
    causes.sort(
        Comparator.comparing((Cause cause) -> !cause.isOfKill())
            .thenComparing(Comparator.comparingInt(Cause::count).reversed()));
    return List.copyOf(causes);
  }

  private String sentence(Kind kind, List<Exchange> some) {
    String which = some.isEmpty() ? "none lost" : which(some);
    PodHistory.Termination end = ends.get(kind);
    String why = end == null ? words.withoutEnd(kind) : words.why(kind, end, some);
    return which + ": " + why;
  }

  /** How many of which outcome, when, and on which kind of connection. */
  private String which(List<Exchange> some) {
    Map<Outcome, Long> outcomes =
        some.stream()
            .collect(
                Collectors.groupingBy(
                    Exchange::outcome, () -> new EnumMap<>(Outcome.class), Collectors.counting()));
    String counts =
        outcomes.entrySet().stream()
            .map(each -> format("%,d %s", each.getValue(), words(each.getKey())))
            .collect(Collectors.joining(", "));
    String kinds =
        some.stream()
            .map(Exchange::kind)
            .distinct()
            .sorted()
            .limit(3)
            .collect(Collectors.joining(", "));
    return format("%s (%s), %s, %s", counts, kinds, when(some), connections(some));
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case EOF -> "closed without an answer";
      case TRUNCATED -> "cut short";
      case UNAVAILABLE -> "answered 503";
      case OTHER_STATUS -> "answered otherwise";
      case TIMEOUT -> "not answered in time";
      default -> outcome.label();
    };
  }

  private String when(List<Exchange> some) {
    boolean held = some.stream().allMatch(Causes::isHeld);
    List<Double> times =
        some.stream()
            .filter(each -> run.pods().get(each.pod()).termination().isPresent())
            .map(each -> secondsAfterSigterm(each, held))
            .sorted()
            .toList();
    if (times.isEmpty()) {
      return "at pods that were not leaving";
    }
    double first = times.get(0);
    double last = times.get(times.size() - 1);
    String verb = held ? "ended" : "sent";
    if (last < 0) {
      return format("%s up to %.2f s before SIGTERM", verb, -first);
    }
    String from = first < 0 ? format("%.2f s before to ", -first) : format("%.2f to ", first);
    return format("%s %s%.2f s after SIGTERM", verb, last - first < 0.05 ? "" : from, last);
  }

  private double secondsAfterSigterm(Exchange exchange, boolean atItsEnd) {
    double sent = run.secondsAfterSigterm(exchange);
    return atItsEnd ? sent + (exchange.ended() - exchange.sent()) / 1e9 : sent;
  }

  /** A WebSocket or a stream: it was sent long before. */
  private static boolean isHeld(Exchange exchange) {
    return exchange.kind().startsWith("WebSocket ") || exchange.kind().startsWith("event stream ");
  }

  private static String connections(List<Exchange> some) {
    long kept = some.stream().filter(Exchange::reused).count();
    if (kept == 0) {
      return "on new connections";
    }
    return kept == some.size() ? "on kept connections" : format("%,d on kept connections", kept);
  }
}
