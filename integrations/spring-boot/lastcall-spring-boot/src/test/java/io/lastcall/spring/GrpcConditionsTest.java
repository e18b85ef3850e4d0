package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.CoarseGrpc;
import io.lastcall.grpc.GrpcShutdown;
import io.lastcall.spring.rpc.GrpcApplication;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.grpc.server.autoconfigure.GrpcServerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** Which gRPC servers are drained, and what is left of them in a process that goes on. */
@Timeout(120)
class GrpcConditionsTest {
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  LastcallAutoConfiguration.class,
                  LastcallGrpcAutoConfiguration.class,
                  GrpcServerAutoConfiguration.class,
                  SslAutoConfiguration.class))
          .withPropertyValues("spring.grpc.server.port=0")
          .withBean(GrpcApplication.Orders.class);

  /** As tests do that keep contexts, and pause them. */
  @Test
  void contextIsPausedAndClosed_withoutAShutdown_leavesNothingBehind() {
    Set<Thread> before = eventLoops();
    runner.run(
        context -> {
          GrpcServerLifecycle lifecycle = context.getBean(GrpcServerLifecycle.class);
          GrpcServerTest.connect(lifecycle.getPort()).shutdownNow();
          lifecycle.stop();
          lifecycle.start();
          GrpcServerTest.connect(lifecycle.getPort()).shutdownNow();
        });
    Awaitility.await().until(() -> eventLoops().equals(before));
  }

  private static Set<Thread> eventLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("grpc-boss"))
        .collect(Collectors.toSet());
  }

  @Test
  void serverWithoutTheAdapter_isSaidAndCountsAsOneThatRoutersKnow() {
    ApplicationContextRunner other =
        runner.withClassLoader(new FilteredClassLoader(GrpcShutdown.class, CoarseGrpc.class));
    try (Warnings said = new Warnings(LastcallGrpcAutoConfiguration.class)) {
      other.run(context -> assertTrue(context.getBean(GrpcServerLifecycle.class).isRunning()));
      assertEquals(1, said.lines().size());
    }
  }

  @Test
  void serverOnADomainSocket_isDrainedByTheCoarseForm() {
    ApplicationContextRunner other =
        runner.withPropertyValues(
            "spring.grpc.server.port=",
            "spring.grpc.server.netty.domain-socket-path=target/grpc.socket");
    try (Warnings said = new Warnings(LastcallGrpcAutoConfiguration.class)) {
      other.run(
          context -> {
            assertTrue(context.getBean(GrpcServerLifecycle.class).isRunning());
            assertEquals(1, context.getBean(GracefulShutdown.class).servers().size());
          });
      assertEquals(List.of(), said.lines());
    }
  }
}
