package io.lastcall.manifests;

import java.util.List;
import java.util.function.Consumer;

/** Whether webhooks that guard the deletion of Pods guard it, and only that. */
final class WebhookChecks {
  private WebhookChecks() {}

  static void check(Yaml configuration, Consumer<Finding> findings) {
    List<Yaml> webhooks = configuration.get("webhooks").items();
    webhooks.stream()
        .filter(webhook -> covers(webhook, "DELETE", List.of("pods", "*", "*/*")))
        .forEach(webhook -> checkFailure(webhook, findings));
    // A policy for everything is no guard of Pods: only those that name them are.
    boolean seesEvictions =
        webhooks.stream()
            .anyMatch(
                each ->
                    covers(
                        each, "CREATE", List.of("pods/eviction", "pods/*", "*/*", "*/eviction")));
    webhooks.stream()
        .filter(webhook -> !seesEvictions && covers(webhook, "DELETE", List.of("pods")))
        .findFirst()
        .ifPresent(
            webhook ->
                findings.accept(
                    finding(
                        Rule.WEBHOOK_MISSES_EVICTIONS,
                        webhook.get("rules"),
                        "%s is asked about DELETE of pods, and no webhook of the configuration"
                            + " about evictions: kubectl drain creates pods/eviction, which no rule"
                            + " for DELETE sees",
                        webhook)));
  }

  private static void checkFailure(Yaml webhook, Consumer<Finding> findings) {
    boolean everyPod =
        webhook.get("objectSelector").keys().isEmpty()
            && webhook.get("namespaceSelector").keys().isEmpty()
            && webhook.get("matchConditions").items().isEmpty();
    if (webhook.get("failurePolicy").text("Fail").equals("Fail") && everyPod) {
      findings.accept(
          finding(
              Rule.WEBHOOK_FAILURE_POLICY,
              webhook.get("failurePolicy"),
              "%s: while the webhook is out, no Pod of the cluster can be deleted; set"
                  + " failurePolicy: Ignore, or an objectSelector",
              webhook));
    }
  }

  private static boolean covers(Yaml webhook, String operation, List<String> resources) {
    return webhook.get("rules").items().stream()
        .anyMatch(
            rule ->
                contains(rule.get("operations"), List.of("*", operation))
                    && contains(rule.get("resources"), resources)
                    && contains(rule.get("apiGroups"), List.of("*", "")));
  }

  private static boolean contains(Yaml items, List<String> wanted) {
    return items.texts().stream().anyMatch(wanted::contains);
  }

  private static Finding finding(Rule rule, Yaml where, String message, Yaml webhook) {
    return new Finding(
        rule, where.file, where.line, message.formatted(webhook.get("name").text("?")));
  }
}
