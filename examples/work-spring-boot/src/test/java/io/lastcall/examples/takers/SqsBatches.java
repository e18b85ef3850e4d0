package io.lastcall.examples.takers;

import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** As {@link SqsService}: it acknowledges ten messages at once, or what there is after a time. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import({Pieces.class, SqsService.Orders.class})
class SqsBatches {
  static final int BATCH = 10;

  public static void main(String[] arguments) {
    SpringApplication.run(SqsBatches.class, arguments);
  }

  @Bean
  static BeanPostProcessor batches(
      @Value("${acknowledged.after}") Duration time,
      @Value("${acknowledged.stop:20s}") Duration stopTime) {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof SqsMessageListenerContainerFactory<?> factory) {
          factory.configure(
              options ->
                  options
                      .acknowledgementThreshold(BATCH)
                      .acknowledgementInterval(time)
                      .acknowledgementShutdownTimeout(stopTime));
        }
        return bean;
      }
    };
  }
}
