package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.spring.service.TestApplication;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatConnectorCustomizer;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code server.http2.enabled}: the protocol that drains, and no other. */
@Timeout(600)
class TomcatHttp2Test {
  private static ConfigurableApplicationContext run(Class<?> source, boolean http2) {
    return new SpringApplication(TestApplication.class, source)
        .run(
            "--server.port=0",
            "--server.http2.enabled=" + http2,
            "--spring.main.banner-mode=off",
            "--logging.level.root=warn");
  }

  @Test
  void enabled_customizersConfigureTheProtocolThatDrains() {
    try (ConfigurableApplicationContext context = run(Streams.class, true)) {
      TomcatWebServer web =
          (TomcatWebServer)
              Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer());
      UpgradeProtocol[] upgrades = web.getTomcat().getConnector().findUpgradeProtocols();
      assertEquals(1, upgrades.length, () -> Arrays.toString(upgrades));
      LastcallHttp2Protocol http2 = assertInstanceOf(LastcallHttp2Protocol.class, upgrades[0]);
      assertEquals(7, http2.getMaxConcurrentStreams());
    }
  }

  /** As applications do it. */
  @Configuration(proxyBeanMethods = false)
  static class Streams {
    @Bean
    TomcatConnectorCustomizer streams() {
      return connector -> {
        for (UpgradeProtocol upgrade : connector.findUpgradeProtocols()) {
          if (upgrade instanceof Http2Protocol http2) {
            http2.setMaxConcurrentStreams(7);
          }
        }
      };
    }
  }

  /** By its interface: conditions on beans do not see what it is. */
  @Test
  void factoryOfTheApplication_speaksItToo() {
    try (ConfigurableApplicationContext context = run(OwnFactory.class, true)) {
      TomcatWebServer web =
          (TomcatWebServer)
              Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer());
      UpgradeProtocol[] upgrades = web.getTomcat().getConnector().findUpgradeProtocols();
      assertEquals(1, upgrades.length, () -> Arrays.toString(upgrades));
      assertInstanceOf(LastcallHttp2Protocol.class, upgrades[0]);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnFactory {
    @Bean
    ServletWebServerFactory factory() {
      return new TomcatServletWebServerFactory();
    }
  }

  /** The service starts as without the library. */
  @Test
  void tomcatsOwn_addedByACustomizer_isWarnedOf() {
    List<String> lines =
        Warnings.of(
            ContainerInternals.class,
            new SpringApplication(TestApplication.class, TomcatsOwn.class),
            "--server.port=0");
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(
        lines
            .get(0)
            .startsWith(
                "UpgradeProtocol=" + Http2Protocol.class + " cannot be drained without loss"),
        lines.get(0));
  }

  @Configuration(proxyBeanMethods = false)
  static class TomcatsOwn {
    @Bean
    TomcatConnectorCustomizer http2() {
      return connector -> connector.addUpgradeProtocol(new Http2Protocol());
    }
  }
}
