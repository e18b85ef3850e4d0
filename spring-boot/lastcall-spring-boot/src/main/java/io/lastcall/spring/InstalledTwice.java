package io.lastcall.spring;

import io.lastcall.GracefulShutdownBuilder;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/**
 * Explains a start that fails because both the application and the starter install the shutdown of
 * the process. The later of the two fails, within some bean: Spring Boot would print that bean's
 * whole stack trace.
 */
final class InstalledTwice implements FailureAnalyzer {

  /** For Spring. */
  InstalledTwice() {}

  @Override
  public @Nullable FailureAnalysis analyze(Throwable failure) {
    Throwable cause = failure;
    while (cause != null) {
      Optional<StackTraceElement> caller = secondInstaller(cause);
      if (caller.isPresent()) {
        return analysis(failure, caller.get());
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Returns what has called the {@code install()} that was refused, if this is its refusal. */
  private static Optional<StackTraceElement> secondInstaller(Throwable cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    boolean refused =
        cause instanceof IllegalStateException && frames.length > 0 && isOfTheBuilder(frames[0]);
    return refused
        ? Arrays.stream(frames).dropWhile(InstalledTwice::isOfTheBuilder).findFirst()
        : Optional.empty();
  }

  private static boolean isOfTheBuilder(StackTraceElement frame) {
    return frame.getClassName().equals(GracefulShutdownBuilder.class.getName());
  }

  private static FailureAnalysis analysis(Throwable failure, StackTraceElement caller) {
    boolean starterIsSecond = caller.getClassName().equals(ProcessShutdown.class.getName());
    String own =
        starterIsSecond ? "before the context was made" : caller + ", after the starter had";
    return new FailureAnalysis(
        "Lastcall is installed twice in this process: by its Spring Boot starter, and by a"
            + " GracefulShutdown.builder()...install() of the application's own ("
            + own
            + ").",
        "Remove the application's install(): the starter takes its settings from lastcall.*"
            + " properties, and what it has installed is the bean of type GracefulShutdown. Or, to"
            + " keep your own, set lastcall.enabled=false (or remove the starter): filter,"
            + " connector, probes and the context's close are yours then.",
        failure);
  }
}
