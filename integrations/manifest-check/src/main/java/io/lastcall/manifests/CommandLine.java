package io.lastcall.manifests;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program that a container runs and its JVM's options, as far as the manifest says. */
final class CommandLine {
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh");

  /** Seen: bash replaces itself by a lone command; dash 0.5.12 does not. */
  private static final Set<String> REPLACED_BY_LONE_COMMAND = Set.of("bash", "zsh", "ksh", "mksh");

  /** Programs that run another and either become it or pass the signal on to it alone. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "env",
          "tini",
          "tini-static",
          "docker-init",
          "catatonit",
          "dumb-init",
          "nice",
          "nohup",
          "gosu",
          "su-exec");

  private static final Set<String> TAKE_A_USER = Set.of("gosu", "su-exec");
  private static final Set<String> TAKE_A_WORD = Set.of("-n", "-u", "-p", "-e", "-r");

  /** Options of java whose value is the next word. */
  private static final Set<String> TAKE_A_VALUE =
      Set.of(
          "-cp",
          "-classpath",
          "--class-path",
          "-p",
          "--module-path",
          "--add-modules",
          "--add-opens",
          "--add-exports",
          "--add-reads",
          "--limit-modules");

  private static final Pattern SHELL_OPTIONS = Pattern.compile("[-+][a-zA-Z]+");

  final List<String> words;
  private final Environment environment;

  private CommandLine(List<String> words, Environment environment) {
    this.words = words;
    this.environment = environment;
  }

  static CommandLine of(Yaml container, Environment environment) {
    return new CommandLine(
        Stream.of("command", "args")
            .flatMap(part -> container.get(part).texts().stream())
            .map(word -> environment.expand(word).orElse(word))
            .toList(),
        environment);
  }

  /** Makes that of a hook, in which the kubelet expands nothing. */
  static CommandLine ofHook(Yaml command, Environment environment) {
    return new CommandLine(command.texts(), environment);
  }

  /** Returns the shell that keeps the stop signal from the program it runs. */
  Optional<String> deafShell() {
    return deafShell(words);
  }

  private Optional<String> deafShell(List<String> line) {
    List<String> program = unwrapped(line);
    Optional<ShellScript> script = script(program);
    if (script.isEmpty()) {
      return Optional.empty();
    }
    String shell = name(program.get(0));
    List<ShellScript.Command> commands = script.get().commands;
    boolean handles =
        commands.stream().anyMatch(each -> isTrapOfStop(each.words) || isReplacedBy(each));
    boolean isLone = script.get().isOneCommand() && REPLACED_BY_LONE_COMMAND.contains(shell);
    // A script that is one variable may be anything.
    boolean isUnknown =
        commands.isEmpty()
            || (commands.size() == 1 && commands.get(0).words.get(0).matches("\\$\\w*"));
    return handles || isLone || isUnknown ? Optional.empty() : Optional.of(program.get(0));
  }

  private static boolean isTrapOfStop(List<String> words) {
    return words.get(0).equals("trap")
        && words.stream().anyMatch(word -> word.matches("(SIG)?TERM|15|EXIT"));
  }

  /** Returns whether the shell becomes the command, which itself hears the signal. */
  private boolean isReplacedBy(ShellScript.Command command) {
    List<String> program = new ArrayList<>(command.words);
    while (!program.isEmpty() && List.of("command", "builtin", "eval").contains(program.get(0))) {
      program.remove(0);
    }
    if (command.isApart || program.isEmpty() || !program.remove(0).equals("exec")) {
      return false;
    }
    while (!program.isEmpty() && program.get(0).startsWith("-")) {
      boolean takesName = program.remove(0).endsWith("a");
      if (takesName && !program.isEmpty()) {
        program.remove(0);
      }
    }
    return !program.isEmpty() && deafShell(program).isEmpty();
  }

  /** Returns the script of a shell's {@code -c}. */
  private Optional<ShellScript> script(List<String> program) {
    if (program.isEmpty() || !SHELLS.contains(name(program.get(0)))) {
      return Optional.empty();
    }
    boolean isScript = false;
    for (int i = 1; i < program.size(); i++) {
      String word = program.get(i);
      boolean isOption = SHELL_OPTIONS.matcher(word).matches();
      if (isOption) {
        isScript |= word.startsWith("-") && word.contains("c");
        i += word.endsWith("o") ? 1 : 0; // -o pipefail
      } else if (!word.startsWith("--")) {
        return isScript ? Optional.of(new ShellScript(word, this::shellValue)) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private String shellValue(String name) {
    return environment.text(name).orElse("$" + name);
  }

  /**
   * Returns the line without programs that only run another; empty if those reach a whole group.
   */
  private static List<String> unwrapped(List<String> line) {
    List<String> left = new ArrayList<>(line);
    while (!left.isEmpty() && WRAPPERS.contains(name(left.get(0)))) {
      String wrapper = name(left.remove(0));
      boolean signalsGroup = wrapper.equals("dumb-init");
      while (!left.isEmpty() && left.get(0).matches("-.*|\\w+=.*")) {
        String option = left.remove(0);
        signalsGroup |= wrapper.startsWith("tini") && option.matches("-[a-z]*g[a-z]*");
        signalsGroup &= !option.matches("-c|--single-child");
        if (TAKE_A_WORD.contains(option) && left.size() > 1) {
          left.remove(0);
        }
      }
      if (TAKE_A_USER.contains(wrapper) && !left.isEmpty()) {
        left.remove(0);
      }
      if (signalsGroup) {
        return List.of();
      }
    }
    return left;
  }

  static String name(String program) {
    return program.substring(program.lastIndexOf('/') + 1);
  }

  private static boolean isJava(String program) {
    return name(program).equals("java");
  }

  /** Returns each command that runs, where that is to be seen. */
  List<List<String>> commands() {
    List<String> program = unwrapped(words);
    List<String> line = program.isEmpty() ? words : program;
    return script(line)
        .map(script -> script.commands.stream().map(command -> command.words).toList())
        .orElse(List.of(line));
  }

  /** Returns whether a java program is to be seen. */
  boolean runsJava() {
    return commands().stream().anyMatch(command -> command.stream().anyMatch(CommandLine::isJava));
  }

  /** Returns the options of the JVM, in the order in which a later one counts. */
  List<String> javaOptions() {
    List<String> options = new ArrayList<>();
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JAVA_OPTS", "JDK_JAVA_OPTIONS")) {
      environment
          .text(name)
          .ifPresent(text -> options.addAll(Arrays.asList(text.trim().split("\\s+"))));
    }
    for (List<String> command : commands()) {
      int java = 0;
      while (java < command.size() && !isJava(command.get(java))) {
        java++;
      }
      boolean isSeen = java < command.size();
      options.addAll(options(command.subList(isSeen ? java + 1 : 0, command.size()), isSeen));
    }
    return options;
  }

  /** Returns the words before the main class or the jar, whose arguments are no options. */
  private static List<String> options(List<String> words, boolean followsJava) {
    List<String> options = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      boolean isProgram = !word.isEmpty() && !word.startsWith("-") && !word.startsWith("$");
      if (word.equals("-jar") || word.equals("-m") || (isProgram && followsJava)) {
        break;
      }
      if (word.startsWith("-") || word.contains(" ")) {
        options.addAll(Arrays.asList(word.trim().split("\\s+")));
      }
      i += TAKE_A_VALUE.contains(word) ? 1 : 0;
    }
    return options;
  }

  /** Returns {@code --lastcall.name=value} arguments, which Spring Boot reads, without dashes. */
  List<String> springArguments() {
    return commands().stream()
        .flatMap(List::stream)
        .filter(word -> word.matches("--lastcall\\.[^=]+=.*"))
        .map(word -> word.substring(2))
        .toList();
  }
}
