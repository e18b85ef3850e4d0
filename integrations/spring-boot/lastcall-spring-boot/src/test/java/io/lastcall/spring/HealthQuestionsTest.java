package io.lastcall.spring;

import static io.lastcall.spring.HealthCalls.assertAsked;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** Of Actuator on a servlet container, on the service's port and on one of its own. */
@Timeout(120)
class HealthQuestionsTest {
  private final WebApplicationContextRunner actuator =
      new WebApplicationContextRunner()
          .withConfiguration(HealthCalls.CONFIGURATION)
          .withPropertyValues("management.endpoint.health.probes.enabled=true");

  @Test
  void health_isAQuestionForReadiness() {
    actuator.run(context -> assertAsked(context, true));
    actuator
        .withPropertyValues("management.server.port=9090")
        .run(context -> assertAsked(context, true, "readiness"));
  }

  @Test
  void liveness_isNone() {
    actuator.run(context -> assertAsked(context, false, "liveness"));
  }
}
