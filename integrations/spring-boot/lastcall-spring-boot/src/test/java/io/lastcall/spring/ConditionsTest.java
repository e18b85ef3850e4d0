package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.lastcall.GracefulShutdown;
import io.lastcall.micrometer.ShutdownMetrics;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.GenericFilter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.websocket.Session;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.socket.WebSocketHandler;

/** Which beans there are, and when not. */
@Timeout(120)
class ConditionsTest {
  /** Of the libraries on this class path. */
  private static final List<String> TAKERS =
      List.of(
          "lastcallKafkaListeners",
          "lastcallJmsListeners",
          "lastcallRabbitListeners",
          "lastcallQuartz",
          "lastcallDbScheduler",
          "lastcallJobRunr",
          "lastcallCamel",
          "lastcallRedis",
          "lastcallQueueChannels",
          "lastcallBatchJobs");

  private static final AutoConfigurations ALL =
      AutoConfigurations.of(
          LastcallAutoConfiguration.class,
          LastcallServletAutoConfiguration.class,
          LastcallWorkAutoConfiguration.class,
          LastcallHikariAutoConfiguration.class,
          EndpointAutoConfiguration.class,
          WebEndpointAutoConfiguration.class);

  private final ApplicationContextRunner plain =
      new ApplicationContextRunner().withConfiguration(ALL);
  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner().withConfiguration(ALL);

  private static void assertBeans(ApplicationContext context, int expected, Class<?>... types) {
    for (Class<?> type : types) {
      assertEquals(expected, context.getBeanNamesForType(type).length, type::getName);
    }
  }

  /** Core takes a process without a server for one to which nobody routes. */
  @Test
  void noWebServer_thereIsAShutdownAndNoServer() {
    plain.run(
        context -> {
          assertBeans(context, 1, GracefulShutdown.class, ContextBridge.class, ExecutorBeans.class);
          assertBeans(context, 0, ServletServers.class);
        });
  }

  @Test
  void nothingToDrain_inATestWithoutAServer_isNotSaid() {
    try (Warnings said = new Warnings(ServletServers.class)) {
      web.run(context -> assertBeans(context, 1, ServletServers.class));
      assertEquals(List.of(), said.lines());
    }
  }

  @Test
  void webApplication_hasAllThatIsOnTheClassPath() {
    web.run(
        context -> {
          assertBeans(
              context,
              1,
              ServletServers.class,
              WebSocketSessions.class,
              WebSocketRegistrar.class,
              WebMvcConfigurer.class,
              TomcatDrain.class,
              HealthPaths.class,
              ShutdownMetrics.class);
          TAKERS.forEach(taker -> assertTrue(context.containsBean(taker), taker));
        });
  }

  @Test
  void whatIsNotOnTheClassPath_isLeftOut() {
    assertLeftOut(Session.class, WebSocketSessions.class, WebSocketRegistrar.class);
    assertLeftOut(WebSocketHandler.class, WebSocketRegistrar.class);
    assertLeftOut(WebMvcConfigurer.class, EventStreamMarker.class);
    assertLeftOut(Tomcat.class, TomcatDrain.class);
    assertLeftOut(PathMappedEndpoints.class, HealthPaths.class, LastcallEndpoint.class);
    assertLeftOut(MeterRegistry.class, ShutdownMetrics.class, LateRegistries.class);
    web.withClassLoader(
            new FilteredClassLoader(
                KafkaListenerEndpointRegistry.class,
                JmsListenerEndpointRegistry.class,
                RabbitListenerEndpointRegistry.class,
                org.quartz.Scheduler.class,
                com.github.kagkarlsson.scheduler.Scheduler.class,
                org.jobrunr.server.BackgroundJobServer.class,
                org.apache.camel.CamelContext.class,
                org.springframework.data.redis.listener.RedisMessageListenerContainer.class,
                org.springframework.integration.support.management.IntegrationManagedResource.class,
                org.springframework.batch.core.job.Job.class))
        .run(
            context -> {
              assertTrue(context.containsBean("lastcallWorkSources"));
              TAKERS.forEach(taker -> assertFalse(context.containsBean(taker), taker));
            });
  }

  @Test
  void hikariIsNotOnTheClassPath_itsPoolsAreLeftOut() {
    web.run(context -> assertTrue(context.containsBean("lastcallHikariPools")));
    web.withClassLoader(new FilteredClassLoader(HikariDataSource.class))
        .run(context -> assertFalse(context.containsBean("lastcallHikariPools")));
    web.withPropertyValues("lastcall.enabled=false")
        .run(context -> assertFalse(context.containsBean("lastcallHikariPools")));
  }

  private void assertLeftOut(Class<?> missing, Class<?>... beans) {
    new WebApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                LastcallAutoConfiguration.class, LastcallServletAutoConfiguration.class))
        .withClassLoader(new FilteredClassLoader(missing))
        .run(
            context -> {
              assertBeans(context, 1, ServletServers.class);
              assertBeans(context, 0, beans);
            });
  }

  @Test
  void disabled_nothingIsInstalled() {
    web.withPropertyValues("lastcall.enabled=false")
        .run(
            context ->
                assertBeans(
                    context, 0, GracefulShutdown.class, ServletServers.class, ExecutorBeans.class));
  }

  @Test
  void workDisabled_onlyThatIsLeftOut() {
    web.withPropertyValues("lastcall.work.enabled=false")
        .run(
            context -> {
              assertBeans(context, 1, GracefulShutdown.class, ServletServers.class);
              assertBeans(context, 0, ExecutorBeans.class);
              assertFalse(context.containsBean("lastcallWorkSources"));
              TAKERS.forEach(taker -> assertFalse(context.containsBean(taker), taker));
            });
  }

  /** Neither condition takes it for a yes. */
  @Test
  void switchThatIsNeitherTrueNorFalse_isRefused() {
    for (String name : List.of("lastcall.enabled", "lastcall.work.enabled")) {
      plain
          .withPropertyValues(name + "=ture")
          .run(
              context ->
                  assertEquals(
                      name + "=ture: it is not one of these; allowed: true, false",
                      refusal(Objects.requireNonNull(context.getStartupFailure()))));
    }
  }

  private static String refusal(Throwable failure) {
    Throwable cause = failure;
    while (!(cause instanceof RefusedSettings)) {
      cause = Objects.requireNonNull(cause.getCause(), failure::toString);
    }
    return Objects.requireNonNull(
        Objects.requireNonNull(new RefusedSettings.Analyzer().analyze(failure)).getDescription());
  }

  @Test
  void settingThatIsNone_andPlanThatDoesNotFit_areExplained() {
    plain
        .withPropertyValues("lastcall.drain-timout=5s")
        .run(
            context ->
                assertEquals(
                    "test lastcall.drain-timout: there is no setting drain-timout; the nearest"
                        + " known name is drain-timeout",
                    refusal(Objects.requireNonNull(context.getStartupFailure()))));
    plain
        .withPropertyValues("lastcall.grace-period=10s", "lastcall.propagation-delay=20s")
        .run(
            context -> {
              String refusal = refusal(Objects.requireNonNull(context.getStartupFailure()));
              assertTrue(refusal.contains("lastcall.propagation-delay"), refusal);
            });
  }

  @Test
  void war_backsOffInOneLineThatNamesTheListener() {
    try (Warnings said = new Warnings(LastcallAutoConfiguration.class)) {
      web.withClassLoader(new FilteredClassLoader(MockServletContext.class))
          .run(
              context -> {
                assertBeans(context, 0, ProcessShutdown.class, ServletServers.class);
                assertFalse(context.getBean(GracefulShutdown.class).isShuttingDown());
                assertEquals(1, said.lines().size());
                assertTrue(
                    said.lines()
                        .get(0)
                        .contains("io.lastcall.servlet.tomcat.LastcallListener into server.xml"));
                // Nothing is installed.
                GracefulShutdown.builder().install().uninstall();
              });
    }
  }

  @Test
  void customizers_setWhatNoPropertySets() {
    plain
        .withPropertyValues("lastcall.grace-period=40s")
        .withBean(
            GracefulShutdownBuilderCustomizer.class,
            () ->
                builder ->
                    builder.gracePeriod(Duration.ofSeconds(90)).drainTimeout(Duration.ofSeconds(7)))
        .run(
            context -> {
              var plan = context.getBean(GracefulShutdown.class).plan();
              assertEquals(Duration.ofSeconds(40), plan.gracePeriod());
              assertEquals(Duration.ofSeconds(7), plan.drainTimeout());
            });
  }

  @Test
  void ownShutdown_isUsedAndStays() {
    GracefulShutdown own = GracefulShutdown.builder().install();
    try (Warnings said = new Warnings(ProcessShutdown.class)) {
      web.withBean("own", GracefulShutdown.class, () -> own, bean -> bean.setDestroyMethodName(""))
          .withPropertyValues("lastcall.grace-period=40s")
          .run(
              context -> {
                assertBeans(context, 1, GracefulShutdown.class);
                assertSame(own, context.getBean(ProcessShutdown.class).shutdown());
                assertEquals(1, said.lines().size());
                assertTrue(said.lines().get(0).contains("'own'"), said.lines()::toString);
              });
      ContextsTest.awaitReadiness(own, true);
    } finally {
      own.uninstall();
    }
  }

  @Test
  void installedByMain_isExplained() {
    GracefulShutdown first = GracefulShutdown.builder().install();
    try {
      plain.run(
          context -> {
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            String words =
                Objects.requireNonNull(new RefusedSettings.Analyzer().analyze(failure))
                    .getDescription();
            assertTrue(words.contains("before its context was made; allowed"), words);
          });
    } finally {
      first.uninstall();
    }
  }

  @Test
  void ownRegistrations_takeThePlaceOfOurs() {
    web.withUserConfiguration(Own.class)
        .run(
            context -> {
              assertSame(Own.FILTER, context.getBean(FilterRegistrationBean.class).getFilter());
              assertBeans(context, 1, FilterRegistrationBean.class, ShutdownMetrics.class);
              assertSame(Own.METRICS, context.getBean(ShutdownMetrics.class));
            });
  }

  static final class Own {
    static final Filter FILTER = new Passing();
    static final ShutdownMetrics METRICS = new ShutdownMetrics(GracefulShutdown.disabled());

    @Bean
    FilterRegistrationBean<Filter> lastcallFilterRegistration() {
      return new FilterRegistrationBean<>(FILTER);
    }

    @Bean
    ShutdownMetrics metrics() {
      return METRICS;
    }
  }

  @Order(Integer.MIN_VALUE)
  static final class Passing extends GenericFilter {
    private static final long serialVersionUID = 1L;

    @Override
    public void doFilter(
        ServletRequest request, ServletResponse response, jakarta.servlet.FilterChain chain) {}
  }

  /** The character encoding filter has the highest precedence too. */
  @Test
  void filter_isInFrontOfOthersOfTheHighestPrecedence() {
    web.withUserConfiguration(Encoding.class)
        .run(context -> assertEquals("lastcall", first(context).getFilterName()));
  }

  private static FilterRegistrationBean<?> first(AssertableWebApplicationContext context) {
    return (FilterRegistrationBean<?>)
        new ServletContextInitializerBeans(context.getSourceApplicationContext())
            .stream().filter(FilterRegistrationBean.class::isInstance).findFirst().orElseThrow();
  }

  static final class Encoding {
    @Bean
    FilterRegistrationBean<Filter> aaa() {
      FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(new Passing());
      registration.setOrder(Integer.MIN_VALUE);
      return registration;
    }
  }

  @Test
  void endpoint_isThereOnceExposed_andSaysThePlanAndTheState() {
    web.run(context -> assertBeans(context, 0, LastcallEndpoint.class));
    web.withPropertyValues(
            "management.endpoints.web.exposure.include=lastcall",
            "management.endpoint.lastcall.access=NONE")
        .run(context -> assertBeans(context, 0, LastcallEndpoint.class));
    web.withPropertyValues(
            "management.endpoints.web.exposure.include=lastcall", "lastcall.grace-period=40s")
        .run(
            context -> {
              LastcallEndpoint.State state = context.getBean(LastcallEndpoint.class).state();
              assertEquals(
                  new LastcallEndpoint.Value("40s", "configuration test lastcall.grace-period"),
                  state.plan().get("grace-period"));
              assertNull(state.phase());
              assertNull(state.report());
              assertEquals(0, state.inFlight());
            });
  }
}
