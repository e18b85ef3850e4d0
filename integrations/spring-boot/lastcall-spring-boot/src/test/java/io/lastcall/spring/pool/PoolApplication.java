package io.lastcall.spring.pool;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service with a pool, whose bean is wrapped by another library's post-processor. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(PoolApplication.Orders.class)
public class PoolApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(PoolApplication.class, arguments);
  }

  @Bean
  DataSource orders(Environment environment) {
    HikariDataSource source = new HikariDataSource();
    source.setJdbcUrl(environment.getRequiredProperty("test.database"));
    return source;
  }

  @Bean
  static BeanPostProcessor wrapping() {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof HikariDataSource source ? new DelegatingDataSource(source) : bean;
      }
    };
  }

  @RestController
  static class Orders {
    private final DataSource source;

    Orders(DataSource source) {
      this.source = source;
    }

    @GetMapping("/order")
    String order() throws SQLException {
      try (Connection connection = source.getConnection()) {
        return connection.isValid(1) ? "valid" : "broken";
      }
    }
  }
}
