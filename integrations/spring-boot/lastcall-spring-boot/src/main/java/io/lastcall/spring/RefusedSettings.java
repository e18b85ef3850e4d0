package io.lastcall.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * A setting that is none, a plan that does not fit the grace period, or an annotation that means
 * nothing: the message says which.
 */
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
          "Correct what is named above. Where the plan does not fit, you may also raise the grace"
              + " period together with the pod's terminationGracePeriodSeconds.",
          failure);
    }
  }
}
