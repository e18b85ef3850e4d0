package io.lastcall.manifests;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The simple commands of a script for a POSIX shell, as far as who gets the stop signal needs. */
final class ShellScript {
  private static final Set<String> KEYWORDS =
      Set.of(
          "if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}",
          "!");

  /** A simple command without its assignments and redirections. */
  static final class Command {
    final List<String> words = new ArrayList<>();

    /** Part of a pipeline, of a subshell, or in the background: a process of its own. */
    boolean isApart;

    /** Nothing but this command could be the whole script. */
    boolean isPlain = true;
  }

  final List<Command> commands = new ArrayList<>();
  private final String text;
  private final UnaryOperator<String> variables;
  private final List<String> hereDocuments = new ArrayList<>();
  private final StringBuilder word = new StringBuilder();
  private Command command = new Command();
  private boolean inWord;
  private boolean dropsNextWord;
  private boolean isCompound;
  private int subshells;
  private int at;

  /**
   * @param variables returns a variable's value, or the text that stands for it
   */
  ShellScript(String text, UnaryOperator<String> variables) {
    this.text = text;
    this.variables = variables;
    while (at < text.length()) {
      read(text.charAt(at++));
    }
    endCommand();
  }

  /** Returns whether it is one command, with neither a redirection nor a condition around it. */
  boolean isOneCommand() {
    return commands.size() == 1 && !isCompound && commands.get(0).isPlain;
  }

  private void read(char c) {
    switch (c) {
      case '\\' -> readEscape();
      case '\'' -> readQuoted();
      case '"' -> readDoubleQuoted();
      case '`' -> readUntil('`');
      case '$' -> readVariable();
      case '#' -> {
        if (inWord) {
          append(c);
        } else {
          at = endOfLine();
        }
      }
      case ' ', '\t', '\r' -> endWord();
      case '\n' -> {
        endCommand();
        hereDocuments.forEach(this::skipHereDocument);
        hereDocuments.clear();
      }
      case ';' -> endCommand();
      case '&', '|' -> readOperator(c);
      case '(', ')' -> readParenthesis(c);
      case '<', '>' -> readRedirection(c);
      default -> append(c);
    }
  }

  private void append(char c) {
    inWord = true;
    word.append(c);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : '\n';
  }

  private int endOfLine() {
    int end = text.indexOf('\n', at);
    return end < 0 ? text.length() : end;
  }

  private void readEscape() {
    if (at < text.length() && text.charAt(at++) != '\n') {
      append(text.charAt(at - 1));
    }
  }

  private void readQuoted() {
    inWord = true;
    int end = text.indexOf('\'', at);
    word.append(text, at, end < 0 ? text.length() : end);
    at = end < 0 ? text.length() : end + 1;
  }

  private void readDoubleQuoted() {
    inWord = true;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c == '$') {
        readVariable();
      } else if (c == '\\' && at < text.length()) {
        append(text.charAt(at++));
      } else {
        append(c);
      }
    }
    at++;
  }

  private void readUntil(char end) {
    inWord = true;
    int found = text.indexOf(end, at);
    at = found < 0 ? text.length() : found + 1;
  }

  /** Reads {@code $NAME}, <code>${NAME}</code>, or skips a substitution. */
  private void readVariable() {
    inWord = true;
    if (peek() == '(') {
      at++;
      skipParenthesis();
      word.append("$()");
      return;
    }
    boolean hasBraces = peek() == '{';
    int start = hasBraces ? ++at : at;
    while (Character.isLetterOrDigit(peek()) || peek() == '_') {
      at++;
    }
    String name = text.substring(start, at);
    boolean isWhole = !hasBraces || peek() == '}';
    if (hasBraces) {
      readUntil('}'); // ${NAME:-default} may be anything
    }
    word.append(name.isEmpty() || !isWhole ? "$" + name : variables.apply(name));
  }

  private void skipParenthesis() {
    for (int open = 1; open > 0 && at < text.length(); at++) {
      open += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
    }
  }

  private void readOperator(char c) {
    if (c == '&' && peek() == '>') {
      endWord();
      return; // &> is a redirection
    }
    boolean isCondition = peek() == c; // && or ||
    if (isCondition) {
      at++;
      isCompound = true;
      endCommand();
      return;
    }
    endWord();
    if (command.words.isEmpty()) {
      commands.forEach(each -> each.isApart = true); // what a brace or fi closed
    }
    command.isApart = true;
    endCommand();
    command.isApart |= c == '|';
  }

  private void readParenthesis(char c) {
    endWord();
    if (c == '(' && !command.words.isEmpty()) {
      skipParenthesis(); // the head of a function
      command.words.clear();
      isCompound = true;
      return;
    }
    endCommand();
    subshells = c == '(' ? subshells + 1 : Math.max(0, subshells - 1);
    command.isApart |= subshells > 0;
    isCompound = true;
  }

  private void readRedirection(char c) {
    if (word.chars().allMatch(Character::isDigit)) {
      word.setLength(0); // of a file descriptor
      inWord = false;
    }
    endWord();
    command.isPlain = false;
    if (peek() == '(') {
      at++;
      skipParenthesis(); // a process that reads or writes
      return;
    }
    boolean isHere = c == '<' && peek() == '<' && !text.startsWith("<<", at);
    while ("<>&|-".indexOf(peek()) >= 0) {
      at++;
    }
    if (isHere) {
      readHereDocumentEnd();
    } else if (!text.startsWith("-", at - 1)) {
      dropsNextWord = true;
      skipProcess();
    }
  }

  /** Skips the process of {@code > >(tee log)}. */
  private void skipProcess() {
    int next = at;
    while (next < text.length() && text.charAt(next) == ' ') {
      next++;
    }
    if (text.startsWith(">(", next) || text.startsWith("<(", next)) {
      at = next + 2;
      skipParenthesis();
      dropsNextWord = false;
    }
  }

  private void readHereDocumentEnd() {
    int start = at;
    while (start < text.length() && text.charAt(start) == ' ') {
      start++;
    }
    at = start;
    while (!Character.isWhitespace(peek()) && ";|&)".indexOf(peek()) < 0) {
      at++;
    }
    hereDocuments.add(text.substring(start, at).replaceAll("['\"\\\\]", ""));
  }

  private void skipHereDocument(String end) {
    while (at < text.length()) {
      String line = text.substring(at, endOfLine());
      at = Math.min(text.length(), endOfLine() + 1);
      if (line.strip().equals(end)) {
        return;
      }
    }
  }

  private void endWord() {
    if (inWord) {
      String ended = word.toString();
      boolean isAssignment = command.words.isEmpty() && ended.matches("(?s)[A-Za-z_]\\w*\\+?=.*");
      if (dropsNextWord) {
        dropsNextWord = false;
      } else if (command.words.isEmpty() && KEYWORDS.contains(ended)) {
        isCompound = true;
      } else if (!isAssignment) {
        command.words.add(ended);
      }
    }
    word.setLength(0);
    inWord = false;
  }

  private void endCommand() {
    endWord();
    dropsNextWord = false;
    if (!command.words.isEmpty()) {
      commands.add(command);
    }
    command = new Command();
    command.isApart = subshells > 0;
  }
}
