package io.lastcall.spring;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.tomcat.TomcatServer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Checks, where a native image is built, that the container has what a drain without loss uses: the
 * image cannot look for it when it runs. What is missing is kept in a resource of the image, which
 * then drains coarsely.
 */
final class NativeContainers implements BeanFactoryInitializationAotProcessor {
  private static final Logger log = LoggerFactory.getLogger(NativeContainers.class);

  /** For Spring. */
  NativeContainers() {}

  @Override
  public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
      ConfigurableListableBeanFactory beans) {
    Map<String, String> problems = new TreeMap<>();
    if (beans.containsBeanDefinition("lastcallTomcatDrain")) {
      add(problems, "Tomcat", TomcatServer.problem());
    }
    if (beans.containsBeanDefinition("lastcallJettyDrain")) {
      add(problems, "Jetty", JettyServer.problem());
    }
    return problems.isEmpty() ? null : (context, code) -> keep(problems, context);
  }

  private static void add(Map<String, String> problems, String container, Optional<String> found) {
    found.ifPresent(problem -> problems.put(container, problem));
  }

  /** The pattern of the resources is in the adapter's own metadata. */
  static void keep(Map<String, String> problems, GenerationContext context) {
    problems.forEach(
        (container, problem) -> {
          log.warn(
              "{}, so a native image of this build drains {} without knowing its connections",
              problem,
              container);
          context
              .getGeneratedFiles()
              .addResourceFile(ContainerInternals.resource(container), problem + "\n");
        });
  }
}
