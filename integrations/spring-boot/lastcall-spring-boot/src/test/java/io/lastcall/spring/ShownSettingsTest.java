package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** {@code /actuator/configprops}: it shows what is set, in words of Spring Boot's or of core's. */
@Timeout(120)
class ShownSettingsTest {
  @Test
  void configprops_showsWhatIsSet() {
    new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LastcallAutoConfiguration.class,
                EndpointAutoConfiguration.class,
                ConfigurationPropertiesReportEndpointAutoConfiguration.class))
        .withPropertyValues(
            "management.endpoints.web.exposure.include=configprops",
            "management.endpoint.configprops.show-values=always",
            "lastcall.grace-period=1m30s",
            "lastcall.drain-timeout=5s",
            "lastcall.late-requests=reject",
            "lastcall.stop-signals=TERM,USR1")
        .run(
            context -> {
              assertEquals(
                  Duration.ofSeconds(90),
                  context.getBean(GracefulShutdown.class).plan().gracePeriod());
              Map<String, Object> shown =
                  context
                      .getBean(ConfigurationPropertiesReportEndpoint.class)
                      .configurationPropertiesWithPrefix("lastcall")
                      .getContexts()
                      .values()
                      .iterator()
                      .next()
                      .getBeans()
                      .values()
                      .iterator()
                      .next()
                      .getProperties();
              assertEquals("PT1M30S", String.valueOf(shown.get("gracePeriod")));
              assertEquals("PT5S", String.valueOf(shown.get("drainTimeout")));
              assertEquals("REJECT", String.valueOf(shown.get("lateRequests")));
              assertEquals(List.of("TERM", "USR1"), shown.get("stopSignals"));
            });
  }
}
