package io.lastcall.spring.service;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.availability.ApplicationAvailabilityBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** A service as a user writes it: nothing in it but one annotation knows of a shutdown. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public class TestApplication {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(TestApplication.class, arguments);
  }

  private final Orders orders;
  private final ObjectProvider<Late> late;
  private final CountDownLatch released = new CountDownLatch(1);

  TestApplication(Orders orders, ObjectProvider<Late> late, Client client) {
    Objects.requireNonNull(client);
    this.orders = orders;
    this.late = late;
  }

  /** Answers only once DRAIN has begun. */
  @GetMapping("/slow")
  String slow() throws InterruptedException {
    System.out.println("slow began");
    orders.draining.await();
    return "slow";
  }

  /** Answers only once {@code /release} has been asked for. */
  @GetMapping("/hold")
  String hold() throws InterruptedException {
    System.out.println("hold began");
    released.await();
    return "held";
  }

  @GetMapping("/release")
  String release() {
    released.countDown();
    return "released";
  }

  /** Not on the request's own thread, which ends. */
  @GetMapping("/exit-elsewhere")
  String exitElsewhere() {
    new Thread(() -> System.exit(7)).start();
    return "exits";
  }

  @GetMapping("/exit")
  String exit() {
    System.exit(7);
    return "never";
  }

  /** An application may close its context itself as the JVM exits. */
  @Bean
  @ConditionalOnProperty("test.own-hook")
  static CommandLineRunner hook(ConfigurableApplicationContext context) {
    return arguments -> Runtime.getRuntime().addShutdownHook(new Thread(context::close));
  }

  /** Works for ever: Spring Boot never says that the application is ready, it says so itself. */
  @Bean
  @ConditionalOnProperty("test.runner-works")
  static CommandLineRunner worker(ApplicationEventPublisher events) {
    return arguments -> {
      AvailabilityChangeEvent.publish(events, arguments, ReadinessState.ACCEPTING_TRAFFIC);
      System.out.println("runner works");
      new CountDownLatch(1).await();
    };
  }

  /** An event stream on which nothing happens. */
  @GetMapping("/quiet")
  SseEmitter quiet() {
    System.out.println("quiet began");
    return new SseEmitter(0L);
  }

  @GetMapping("/quiet-entity")
  ResponseEntity<SseEmitter> quietEntity() {
    return ResponseEntity.ok().header("X-Quiet", "yes").body(quiet());
  }

  /** Of a type that says nothing, as with a reactive one. */
  @GetMapping(path = "/quiet-produced", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  Object quietProduced() {
    return quiet();
  }

  /** No emitter, and more than the plain type. */
  @GetMapping(path = "/quiet-charset", produces = "text/event-stream;charset=UTF-8")
  CompletableFuture<String> quietCharset() {
    System.out.println("quiet began");
    return new CompletableFuture<>();
  }

  /** Only what it returns says what it is. */
  @GetMapping("/quiet-object")
  Object quietObject() {
    return quiet();
  }

  /** As MCP over streamable HTTP has it. */
  @Bean
  static RouterFunction<ServerResponse> quietFunction() {
    return RouterFunctions.route()
        .GET(
            "/quiet-function",
            request ->
                ServerResponse.sse(stream -> System.out.println("quiet began"), Duration.ZERO))
        .build();
  }

  /** An event stream whose handler blocks behind the first event. */
  @GetMapping("/blocked")
  void blocked(HttpServletResponse response) throws IOException, InterruptedException {
    response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
    response.getWriter().print("data: first\n\n");
    response.flushBuffer();
    System.out.println("stream blocks");
    released.await();
  }

  @GetMapping("/fast")
  String fast() {
    return "fast";
  }

  /** As applications have it without this library. */
  @GetMapping("/prestop")
  String prestop() {
    return "theirs";
  }

  /** Fails once: the bean is made for the first request, and can be for the second. */
  @GetMapping("/lazy")
  String lazy() {
    return "made " + late.getObject().number;
  }

  /** Made when it is asked for; the first one fails. */
  @Component
  @Lazy
  static final class Late implements InitializingBean {
    private static final AtomicInteger made = new AtomicInteger();
    final int number = made.incrementAndGet();

    @Override
    public void afterPropertiesSet() {
      if (number == 1) {
        throw new IllegalStateException("Not yet");
      }
    }

    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      System.out.println("lazy bean " + number + " stopped");
    }
  }

  /** As third parties make beans: by a factory of their own class; the application asks first. */
  @Component
  static final class ClientFactory implements FactoryBean<Client> {
    @Override
    public Client getObject() {
      return new Client();
    }

    @Override
    public Class<Client> getObjectType() {
      return Client.class;
    }

    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      System.out.println("factory stopped");
    }
  }

  /** What that makes. */
  static final class Client {}

  /** The same object once more, under the name of what it is used as. */
  @Bean
  static AutoCloseable closing(Orders orders) {
    return orders;
  }

  /** Lets nobody in, at the place of Spring Security's chain. */
  @Bean
  @ConditionalOnProperty("test.security")
  static FilterRegistrationBean<Filter> security() {
    FilterRegistrationBean<Filter> security =
        new FilterRegistrationBean<>(
            (request, response, chain) -> ((HttpServletResponse) response).sendError(401));
    security.setOrder(-100);
    return security;
  }

  /** Something with an end of its own. */
  @Component
  static final class Orders implements AutoCloseable {
    final CountDownLatch draining = new CountDownLatch(1);

    @OnShutdown(phase = Phase.DRAIN)
    void stopConsumers() {
      System.out.println("consumers stopped");
      draining.countDown();
    }

    @OnShutdown(phase = Phase.EXIT)
    void leave() {
      System.out.println("orders left");
    }

    @Override
    public void close() {
      boolean interrupted = Thread.currentThread().isInterrupted();
      System.out.println("bean destroyed" + (interrupted ? " while interrupted" : ""));
    }
  }

  /** Changes the tables of a database while the application starts; until a line comes. */
  @Component
  @ConditionalOnProperty("test.migrates")
  static final class Migration implements InitializingBean {
    @Override
    public void afterPropertiesSet() throws IOException {
      System.out.println("migration began");
      int unused = System.in.read();
      System.out.println("migration ended");
    }
  }

  /** Holds FAIL_READINESS until a line comes. */
  @Component
  @ConditionalOnProperty("test.holds-readiness")
  static final class ReadinessHold {
    @OnShutdown(phase = Phase.FAIL_READINESS)
    void hold() throws IOException {
      System.out.println("readiness is held");
      int unused = System.in.read();
    }
  }

  @Component
  static final class Ledger {
    @OnShutdown(phase = Phase.EXIT)
    void end() {
      System.out.println("ledger closed");
    }
  }

  /** Closed by a step, and again by the context: as others do, it ends once. */
  @Component
  static final class Queue implements AutoCloseable {
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    @OnShutdown(phase = Phase.DRAIN)
    public void close() {
      System.out.println(closed.getAndSet(true) ? "queue closed again" : "queue closed");
    }
  }

  /** Has Actuator's health hang, as it does where it asks a database that is gone. */
  @Component
  @ConditionalOnProperty("test.health-hangs")
  static final class Hanging extends ApplicationAvailabilityBean {
    @Override
    public ReadinessState getReadinessState() {
      System.out.println("health hangs");
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return ReadinessState.ACCEPTING_TRAFFIC;
    }
  }

  /** Looks at the readiness of the process while the context closes. */
  @Component
  @ConditionalOnProperty("test.looks-at-readiness")
  static final class Onlooker implements DisposableBean {
    private final GracefulShutdown shutdown;

    Onlooker(GracefulShutdown shutdown) {
      this.shutdown = shutdown;
    }

    @Override
    public void destroy() {
      System.out.println("ready while the context closes: " + shutdown.probes().isReady());
    }
  }
}
