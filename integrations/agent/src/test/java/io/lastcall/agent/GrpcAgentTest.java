package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gRPC server that knows nothing of the agent, with real SIGTERMs. */
@Timeout(300)
class GrpcAgentTest {
  private static final Map<String, String> SHORT =
      Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "1s");

  private static final int SIGTERMED = 143;

  private ManagedChannel channel;

  @AfterEach
  void end() {
    channel.shutdownNow();
  }

  private void connect(AgentJvm jvm) {
    channel = NettyChannelBuilder.forAddress("localhost", jvm.port()).usePlaintext().build();
  }

  private ListenableFuture<String> call(String path) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(GrpcApplication.ANSWER, CallOptions.DEFAULT), path);
  }

  @Test
  void sigterm_callInFlightAndLaterOnes_areAnswered_untilTheListenerRefuses() throws Exception {
    try (AgentJvm jvm = AgentJvm.start(GrpcApplication.class, List.of(AgentJvm.agent()), SHORT)) {
      connect(jvm);
      ListenableFuture<String> inFlight = call("/wait");
      jvm.awaitLine("waits");

      jvm.terminate();
      jvm.awaitLine("Shutdown begun by SIGTERM");
      assertEquals("answered /go", call("/go").get());
      assertEquals("answered /wait", inFlight.get(), jvm::log);

      Status refused = Status.fromThrowable(callUntilRefused());
      assertEquals(Status.Code.UNAVAILABLE, refused.getCode(), jvm::log);
      assertInstanceOf(ConnectException.class, refused.getCause(), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @Test
  void sigterm_withoutTheAgent_callInFlightIsLost() throws Exception {
    try (AgentJvm jvm = AgentJvm.start(GrpcApplication.class, List.of(), SHORT)) {
      connect(jvm);
      ListenableFuture<String> inFlight = call("/wait");
      jvm.awaitLine("waits");

      jvm.terminate();

      assertThrows(ExecutionException.class, inFlight::get);
      assertEquals(SIGTERMED, jvm.exitCode(), jvm::log);
    }
  }

  /** One after the other, on the connection that is open; each before the last has its answer. */
  private Throwable callUntilRefused() throws InterruptedException {
    while (true) {
      try {
        assertEquals("answered /", call("/").get());
      } catch (ExecutionException refused) {
        return assertInstanceOf(StatusRuntimeException.class, refused.getCause());
      }
    }
  }
}
