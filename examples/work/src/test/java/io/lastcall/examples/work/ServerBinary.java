package io.lastcall.examples.work;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server that is no Java program, from the machine's packages.
 *
 * @param name of the program, and of Debian's package
 */
public record ServerBinary(String name) {
  private Optional<Path> path() {
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public boolean isInstalled() {
    return path().isPresent();
  }

  /** Starts it; it ends with this JVM at the latest. */
  public Process start(String... arguments) throws IOException {
    Path program = path().orElseThrow(() -> new IOException(missing()));
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process =
        builder
            .redirectOutput(ProcessBuilder.Redirect.appendTo(new File("target", name + ".log")))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  /** Returns why there is nothing to see. */
  public String missing() {
    return "skipped: there is no " + name + " here (Debian: apt-get install " + name + ")";
  }
}
