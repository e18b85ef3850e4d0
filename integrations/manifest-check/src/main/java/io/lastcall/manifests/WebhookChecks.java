package io.lastcall.manifests;

import java.util.List;
import java.util.function.Consumer;

/** Whether a webhook that guards the deletion of Pods guards it, and only that. */
final class WebhookChecks {
  private WebhookChecks() {}

  static void check(Yaml object, Consumer<Finding> findings) {
    if (object.get("kind").is("ValidatingWebhookConfiguration")) {
      object.get("webhooks").items().forEach(webhook -> checkOne(webhook, findings));
    }
  }

  private static void checkOne(Yaml webhook, Consumer<Finding> findings) {
    Yaml rules = webhook.get("rules");
    if (!covers(rules, "DELETE", "pods")) {
      return;
    }
    String name = webhook.get("name").text("?");
    boolean everyPod =
        !webhook.get("objectSelector").isPresent()
            && !webhook.get("namespaceSelector").isPresent()
            && webhook.get("matchConditions").items().isEmpty();
    if (webhook.get("failurePolicy").text("Fail").equals("Fail") && everyPod) {
      findings.accept(
          finding(
              Rule.WEBHOOK_FAILURE_POLICY,
              webhook.get("failurePolicy"),
              "%s: while the webhook is out, no Pod of the cluster can be deleted; set"
                  + " failurePolicy: Ignore, or an objectSelector",
              name));
    }
    if (!covers(rules, "CREATE", "pods/eviction")) {
      findings.accept(
          finding(
              Rule.WEBHOOK_MISSES_EVICTIONS,
              rules,
              "%s is asked about DELETE of pods alone; kubectl drain creates pods/eviction, which"
                  + " no rule for DELETE sees",
              name));
    }
  }

  private static boolean covers(Yaml rules, String operation, String resource) {
    List<String> all = List.of("*", "*/*", resource.contains("/") ? "pods/*" : resource);
    return rules.items().stream()
        .anyMatch(
            rule ->
                contains(rule.get("operations"), List.of("*", operation))
                    && (contains(rule.get("resources"), List.of(resource))
                        || contains(rule.get("resources"), all)));
  }

  private static boolean contains(Yaml items, List<String> wanted) {
    return items.items().stream().anyMatch(item -> wanted.contains(item.text("")));
  }

  private static Finding finding(Rule rule, Yaml where, String message, String name) {
    return new Finding(rule, where.file(), where.line(), message.formatted(name));
  }
}
