package io.lastcall.examples.takers;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.batch.jdbc.autoconfigure.BatchJdbcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service with a pool, which its first request opens; each request needs a connection. */
@SpringBootApplication(exclude = BatchJdbcAutoConfiguration.class) // opens the pool at start
@ComponentScan(useDefaultFilters = false)
@Import(PoolService.Orders.class)
public class PoolService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(PoolService.class, arguments);
  }

  @Bean
  DataSource orders(Environment environment) {
    HikariDataSource source = new HikariDataSource();
    source.setJdbcUrl(environment.getRequiredProperty("orders.database"));
    source.setUsername("orders");
    return source;
  }

  /** Answers how many microseconds it has waited for a connection. */
  @RestController
  static class Orders {
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final DataSource source;

    Orders(DataSource source) {
      this.source = source;
    }

    @GetMapping("/order")
    String order() throws SQLException {
      long asked = System.nanoTime();
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("select 1")) {
        long waited = System.nanoTime() - asked;
        rows.next();
        LockSupport.parkNanos(WORK_NANOS);
        return Long.toString(TimeUnit.NANOSECONDS.toMicros(waited));
      }
    }
  }
}
