package io.lastcall.spring;

import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.WebApplicationContext;

/**
 * Matches unless a container runs the application as a WAR; in a test, MockMvc looks like one.
 * Spring Boot's own condition fails where spring-web is absent, as in a job.
 */
final class OnOwnServer implements ConfigurationCondition {
  private static final String WEB = "org.springframework.web.context.WebApplicationContext";
  private static final String MOCK = "org.springframework.mock.web.MockServletContext";

  @Override
  public ConfigurationPhase getConfigurationPhase() {
    return ConfigurationPhase.PARSE_CONFIGURATION;
  }

  @Override
  public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
    ClassLoader loader = context.getClassLoader();
    return !ClassUtils.isPresent(WEB, loader)
        || ClassUtils.isPresent(MOCK, loader)
        || !War.isDeployed(context.getResourceLoader());
  }

  /** Apart: it names a type of spring-web. */
  private static final class War {
    static boolean isDeployed(ResourceLoader context) {
      return context instanceof WebApplicationContext web && web.getServletContext() != null;
    }
  }
}
