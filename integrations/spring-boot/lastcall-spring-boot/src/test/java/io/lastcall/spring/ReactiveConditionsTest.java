package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.netty.reactor.ReactorDrain;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;

/** Which beans there are with WebFlux, and when not. */
@Timeout(120)
class ReactiveConditionsTest {
  private final ReactiveWebApplicationContextRunner web =
      new ReactiveWebApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class, LastcallReactiveAutoConfiguration.class));

  private final ReactiveWebApplicationContextRunner onNetty =
      web.withBean(NettyReactiveWebServerFactory.class, NettyReactiveWebServerFactory::new);

  private static void assertDrained(ApplicationContext context, boolean expected) {
    int count = expected ? 1 : 0;
    assertEquals(count, context.getBeanNamesForType(ReactorDrain.class).length);
    assertEquals(count, context.getBeanNamesForType(EventStreamHeads.class).length);
  }

  @Test
  void reactorNetty_isDrained() {
    onNetty.run(context -> assertDrained(context, true));
    onNetty
        .withPropertyValues("lastcall.enabled=false")
        .run(context -> assertDrained(context, false));
  }

  @Test
  void otherServer_orNoAdapter_isSaid() {
    for (var runner :
        List.of(web, onNetty.withClassLoader(new FilteredClassLoader(ReactorDrain.class)))) {
      try (Warnings said = new Warnings(LastcallReactiveAutoConfiguration.class)) {
        runner.run(context -> assertDrained(context, false));
        assertEquals(1, said.lines().size());
      }
    }
  }

  /** What the application has set stands. */
  @Test
  void quietPeriod_thatNobodyHasSet_isLeftOutAndSaid() {
    var resources =
        onNetty.withConfiguration(
            AutoConfigurations.of(NettyReactiveWebServerAutoConfiguration.class));
    assertEquals(1, said(resources));
    assertEquals(
        0, said(resources.withPropertyValues("spring.reactor.netty.shutdown-quiet-period=1s")));
    assertEquals(
        0,
        said(onNetty.withBean("own", ReactorResourceFactory.class, ReactorResourceFactory::new)));
  }

  private static int said(ReactiveWebApplicationContextRunner runner) {
    try (Warnings said = new Warnings(ReactorQuietPeriod.class)) {
      runner.run(context -> assertDrained(context, true));
      return said.lines().size();
    }
  }
}
