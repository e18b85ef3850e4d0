package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.Background;
import io.lastcall.time.Ticker;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of calls that outlive DRAIN. */
@Timeout(120)
class GiveUpTest {
  private final GracefulShutdown shutdown = GracefulShutdown.builder().install();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

  @AfterEach
  void stop() {
    timer.shutdownNow();
    shutdown.uninstall();
  }

  @Test
  void giveUp_oneCallRunsAndOneWaitsInTheExecutor_bothEndUnavailable() throws Exception {
    GateControl control = new GateControl(Ticker.system());
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    Server server =
        NettyServerBuilder.forPort(0)
            .executor(tasks::add)
            .addStreamTracerFactory(CountedCall.factory(control.gate()))
            .intercept(new CallInterceptor(control.gate(), shutdown.connections(), Set.of()))
            .addService(new Echo(timer))
            .build()
            .start();
    try (Clients clients = new Clients(server.getPort())) {
      CallOutcome<String> running = Clients.start(clients.fresh(), Echo.WORK, "3600000");
      while (timer.getQueue().isEmpty()) {
        tasks.take().run();
      }
      CallOutcome<String> waiting = Clients.start(clients.fresh(), Echo.WORK, "3600000");
      Awaitility.await().until(() -> control.gate().inFlight() == 2);

      control.giveUp(TestServer.soon());

      assertLeaving(running);
      assertEquals(1, control.gate().inFlight());
      while (control.gate().inFlight() > 0) {
        tasks.take().run();
      }
      assertLeaving(waiting);
      assertEquals(1, timer.getQueue().size(), "the application was called");
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void stop_eventLoopHasNotWrittenTheStatusYet_isWaitedFor() throws Exception {
    CompletableFuture<EndableCall<?, ?>> work = new CompletableFuture<>();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    ServerInterceptor holdsTheEventLoop =
        new ServerInterceptor() {
          @Override
          public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
              ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            if (!work.isDone()) {
              work.complete((EndableCall<?, ?>) call);
            } else {
              busy.countDown();
              awaitUninterruptibly(free);
            }
            return next.startCall(call, headers);
          }
        };
    NettyServerBuilder builder =
        NettyServerBuilder.forPort(0)
            .directExecutor()
            .intercept(holdsTheEventLoop)
            .addService(new Echo(timer));
    TestServer server = new TestServer(shutdown, builder);
    try (Clients clients = new Clients(server.port())) {
      ManagedChannel channel = clients.fresh();
      CallOutcome<String> stuck = Clients.start(channel, Echo.WORK, "3600000");
      EndableCall<?, ?> call = work.get();
      Clients.start(channel, Echo.ECHO, "");
      busy.await();

      call.end();
      Background<Boolean> stopping =
          Background.run(
              () -> {
                server.close();
                return true;
              });
      Awaitility.await().until(() -> stopping.thread().getState() == Thread.State.TIMED_WAITING);
      free.countDown();

      assertLeaving(stuck);
      assertTrue(stopping.result());
    }
  }

  private static void assertLeaving(CallOutcome<String> call) {
    assertEquals(
        Objects.requireNonNull(EndableCall.LEAVING.getDescription()),
        call.awaitStatus().getDescription());
  }

  static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
