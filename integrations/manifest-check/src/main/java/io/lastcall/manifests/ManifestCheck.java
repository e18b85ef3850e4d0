package io.lastcall.manifests;

import static io.lastcall.manifests.Rule.Severity.NOTE;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/** The command: checks manifests, prints what it finds, and tells a pipeline by its exit status. */
public final class ManifestCheck {
  static final int NOTHING_FOUND = 0;
  static final int FOUND = 1;
  static final int UNUSABLE = 2;

  private static final String PREFIX = "lastcall.";
  private static final String USAGE =
      """
      Usage: java -jar lastcall-manifests.jar FILE... [--settings NAME=VALUE|FILE]... [--sarif]
        FILE        manifests, of several documents too; - is standard input
        --settings  what the service has from its code or configuration: grace-period=45s,
                    or a file of properties whose names begin with lastcall.
        --sarif     SARIF 2.1.0 instead of text
      Exit status: 0 nothing found, or notes alone; 1 errors or warnings; 2 a file that cannot be
      read, or this usage.
      """;

  /** What holds for the container that has the library. */
  private static final List<Consumer<Workload>> OF_A_CONTAINER =
      List.of(
          VariableChecks::check,
          PreStopChecks::check,
          ProbeChecks::check,
          ReadinessChecks::check,
          LivenessChecks::check,
          FileChecks::check,
          ResourceChecks::check,
          NetworkChecks::check,
          SidecarChecks::check,
          StrategyChecks::check,
          JobChecks::check);

  private final List<String> files = new ArrayList<>();
  private final Map<String, String> settings = new HashMap<>();
  private boolean sarif;

  private ManifestCheck(String... arguments) throws IOException {
    Deque<String> left = new ArrayDeque<>(List.of(arguments));
    while (!left.isEmpty()) {
      String argument = left.remove();
      if (argument.equals("--sarif")) {
        sarif = true;
      } else if (argument.equals("--settings") && !left.isEmpty()) {
        addSettings(left.remove());
      } else if (argument.startsWith("--")) {
        throw new IllegalArgumentException("There is no option " + argument);
      } else {
        files.add(argument);
      }
    }
    if (files.isEmpty()) {
      throw new IllegalArgumentException("No file is named");
    }
  }

  /** Runs the command and exits. */
  public static void main(String[] arguments) {
    // Nothing here logs: without a provider SLF4J would say so.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    System.exit(run(System.in, System.out, System.err, arguments));
  }

  /** Runs the command; returns its exit status. */
  static int run(InputStream in, PrintStream out, PrintStream err, String... arguments) {
    try {
      return new ManifestCheck(arguments).check(in, out, err);
    } catch (IOException | IllegalArgumentException e) {
      err.println(e instanceof IOException ? e : e.getMessage());
      err.print(USAGE);
      return UNUSABLE;
    }
  }

  private void addSettings(String text) throws IOException {
    if (text.contains("=")) {
      String[] parts = text.split("=", 2);
      settings.put(
          parts[0].startsWith(PREFIX) ? parts[0].substring(PREFIX.length()) : parts[0], parts[1]);
      return;
    }
    Properties file = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(text))) {
      file.load(in);
    }
    file.stringPropertyNames().stream()
        .filter(name -> name.startsWith(PREFIX))
        .forEach(name -> settings.put(name.substring(PREFIX.length()), file.getProperty(name)));
  }

  private int check(InputStream in, PrintStream out, PrintStream err) {
    Plans plans = new Plans(settings);
    ManifestReader reader = new ManifestReader();
    files.forEach(file -> reader.read(file, in));
    List<Finding> findings = new ArrayList<>(reader.notes);
    findings.addAll(findings(reader.objects, plans));
    findings.sort(Comparator.comparing(Finding::file).thenComparing(Finding::line));
    if (sarif) {
      out.println(Sarif.write(findings, reader.problems));
    } else {
      findings.forEach(out::println);
    }
    reader.problems.forEach(err::println);
    if (!reader.problems.isEmpty()) {
      return UNUSABLE;
    }
    boolean isSound = findings.stream().allMatch(finding -> finding.rule().severity == NOTE);
    return isSound ? NOTHING_FOUND : FOUND;
  }

  static List<Finding> findings(List<Yaml> objects, Plans plans) {
    List<Finding> findings = new ArrayList<>();
    Manifests manifests = new Manifests(objects, findings::add);
    plans.claimOnly(manifests.workloads());
    manifests.workloads().forEach(plans::check);
    for (Consumer<Workload> check : OF_A_CONTAINER) {
      manifests.workloads().stream().filter(pod -> pod.hasLibrary).forEach(check);
    }
    manifests.workloads().forEach(SignalChecks::check);
    BudgetChecks.check(manifests);
    DoublingChecks.check(manifests);
    ServiceChecks.check(manifests);
    manifests
        .ofKind("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration")
        .forEach(configuration -> WebhookChecks.check(configuration, findings::add));
    objects.forEach(object -> CoverageChecks.checkKind(object, findings::add));
    CoverageChecks.checkLibrary(manifests);
    findings.sort(Comparator.comparing(Finding::file).thenComparing(Finding::line));
    return findings;
  }
}
