package io.lastcall.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A setting that is none, or a plan that does not fit the grace period: the message says which. */
final class RefusedSettings extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  RefusedSettings(IllegalArgumentException refusal) {
    super(refusal.getMessage(), refusal);
  }

  /** Has Spring Boot print the message in place of a stack trace. */
  static final class Analyzer extends AbstractFailureAnalyzer<RefusedSettings> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, RefusedSettings refusal) {
      return new FailureAnalysis(
          refusal.getMessage(),
          "Correct the settings named above, or raise the grace period together with the pod's"
              + " terminationGracePeriodSeconds.",
          failure);
    }
  }
}
