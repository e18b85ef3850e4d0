package io.lastcall.spring;

import io.lastcall.probe.Probes;
import java.util.Arrays;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.core.Ordered;

/**
 * Notes that Actuator's health was asked for, liveness alone excluded: by its pace core knows how
 * long a kubelet takes to see readiness fail. On every server, that of a management port included.
 */
record HealthQuestions(Probes probes) implements OperationInvokerAdvisor, Ordered {
  private static final EndpointId HEALTH = EndpointId.of("health");

  @Override
  public OperationInvoker apply(
      EndpointId endpoint,
      OperationType type,
      OperationParameters parameters,
      OperationInvoker invoker) {
    if (!endpoint.equals(HEALTH) || type != OperationType.READ) {
      return invoker;
    }
    return context -> {
      if (!isLiveness(context)) {
        probes.readinessAsked();
      }
      return invoker.invoke(context);
    };
  }

  /** By the group, or by the group's path: {@code liveness}, {@code /livez}. */
  private static boolean isLiveness(InvocationContext context) {
    Object path = context.getArguments().get("path");
    return path instanceof String[] segments
        && Arrays.stream(segments).anyMatch(segment -> segment.startsWith("live"));
  }

  /** Outside of Actuator's cache, which answers without asking on. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }
}
