package io.lastcall.spring;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;

/** Matches unless a container runs the application as a WAR; in a test, MockMvc looks like one. */
final class OnOwnServer extends AnyNestedCondition {
  OnOwnServer() {
    super(ConfigurationPhase.PARSE_CONFIGURATION);
  }

  @ConditionalOnNotWarDeployment
  static final class NoWar {}

  @ConditionalOnClass(name = "org.springframework.mock.web.MockServletContext")
  static final class Test {}
}
