package io.lastcall.spring.taker;

import java.util.stream.Stream;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;

/** The application's own takers, and all that need no line: each looks for its library itself. */
public final class KnownTakers implements ImportSelector {
  /** For Spring. */
  public KnownTakers() {}

  @Override
  public String[] selectImports(AnnotationMetadata importing) {
    return Stream.of(
            OwnTakers.class,
            KafkaTaker.class,
            JmsTaker.class,
            RabbitTaker.class,
            CloudStreamTaker.class,
            QuartzTaker.class,
            RedisTaker.class,
            IntegrationTaker.class,
            BatchTaker.class,
            PulsarTaker.class,
            SqsTaker.class,
            DbSchedulerTaker.class,
            JobRunrTaker.class,
            CamelTaker.class)
        .map(Class::getName)
        .toArray(String[]::new);
  }
}
