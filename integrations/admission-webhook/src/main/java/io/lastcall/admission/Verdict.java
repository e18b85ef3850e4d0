package io.lastcall.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer to a review.
 *
 * @param code the HTTP status of a refusal, as the client of the API server gets it; 0 if allowed
 * @param reason one word, for the metric
 * @param message why it is refused, or a warning if it is allowed; empty for none
 * @param retryAfter what the client waits before it tries again
 */
record Verdict(int code, String reason, String message, Optional<Duration> retryAfter) {
  private static final int LONGEST_WARNING = 250;

  static Verdict allowed(String reason) {
    return new Verdict(0, reason, "", Optional.empty());
  }

  static Verdict warned(String reason, String warning) {
    return new Verdict(0, reason, warning, Optional.empty());
  }

  /** 429: {@code kubectl drain} tries again, where any other status ends its try of that Pod. */
  static Verdict later(String reason, String message) {
    return new Verdict(429, reason, message, Optional.empty());
  }

  static Verdict unfit(String message) {
    return new Verdict(400, "unfit", message, Optional.empty());
  }

  Verdict retryAfter(Duration time) {
    return new Verdict(code, reason, message, Optional.of(time));
  }

  boolean isAllowed() {
    return code == 0;
  }

  /** Returns the AdmissionReview that answers the one of that {@code uid}. */
  ObjectNode review(String uid) {
    ObjectNode review = Review.JSON.createObjectNode();
    review.put("apiVersion", Review.VERSION).put("kind", "AdmissionReview");
    ObjectNode response = review.putObject("response").put("uid", uid).put("allowed", isAllowed());
    if (isAllowed() && !message.isEmpty()) {
      response
          .putArray("warnings")
          .add(message.substring(0, Math.min(LONGEST_WARNING, message.length())));
    } else if (!isAllowed()) {
      ObjectNode status = response.putObject("status").put("status", "Failure").put("code", code);
      status.put("reason", code == 429 ? "TooManyRequests" : "BadRequest").put("message", message);
      retryAfter.ifPresent(
          time -> status.putObject("details").put("retryAfterSeconds", time.toSeconds()));
    }
    return review;
  }
}
