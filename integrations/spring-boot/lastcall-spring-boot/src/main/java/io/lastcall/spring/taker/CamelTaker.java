package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.spi.RouteStartupOrder;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.spi.ShutdownStrategy;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Apache Camel. Routes that take from outside of the process are suspended together, and their
 * exchanges awaited. Others go on until the context closes, since requests need them: routes of
 * servers, and those that Camel itself keeps until others have ended, such as {@code direct} and
 * {@code seda}.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(CamelContext.class)
final class CamelTaker {
  private static final Pattern SERVING =
      Pattern.compile(
          "org\\.apache\\.camel\\.component\\.(platform|servlet|jetty|netty|undertow|rest|webhook"
              + "|vertx\\.(http|websocket)|cxf|grpc|thrift|websocket|atmosphere|mina|coap|mllp"
              + "|spring\\.ws|as2|knative).*");

  @Bean
  static TakerBeans lastcallCamel(ObjectProvider<Takers> takers) {
    return new TakerBeans(
        takers,
        bean ->
            bean instanceof CamelContext camel
                ? WorkSource.ofBlockingStop(
                    () -> suspend(camel, takers.getObject().shutdown().plan().gracePeriod()))
                : null);
  }

  /** Camel cuts what has not ended in its own timeout, 45 s: DRAIN decides how long is waited. */
  private static void suspend(CamelContext camel, Duration grace) throws Exception {
    ShutdownStrategy strategy = camel.getShutdownStrategy();
    strategy.setTimeUnit(TimeUnit.MILLISECONDS);
    strategy.setTimeout(grace.toMillis());
    List<RouteStartupOrder> taking =
        camel.getCamelContextExtension().getRouteStartupOrder().stream()
            .filter(order -> isTaking(order.getRoute()))
            .toList();
    strategy.suspend(camel, taking, grace.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static boolean isTaking(Route route) {
    boolean deferred =
        route.getConsumer() instanceof ShutdownAware aware
            && aware.deferShutdown(route.getShutdownRunningTask());
    return !deferred && !SERVING.matcher(route.getEndpoint().getClass().getName()).matches();
  }
}
