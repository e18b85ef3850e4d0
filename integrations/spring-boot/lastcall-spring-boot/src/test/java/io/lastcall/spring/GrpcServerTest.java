package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.lastcall.spring.rpc.GrpcApplication;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Spring Boot's gRPC server, in a JVM of its own, with real clients. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class GrpcServerTest {
  private static final Pattern PORT = Pattern.compile("gRPC Server started.*, port: (\\d+)");

  private static final String[] ARGUMENTS = {
    "--spring.main.web-application-type=none",
    "--spring.grpc.server.port=0",
    "--lastcall.propagation-delay=2s"
  };

  /** What a client hears of one call. */
  private static final class Outcome<T> implements StreamObserver<T> {
    private final List<T> messages = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Status> status = new CompletableFuture<>();

    @Override
    public void onNext(T message) {
      messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
      status.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
      status.complete(Status.OK);
    }
  }

  static ManagedChannel connect(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    assertEquals("", fast(channel));
    return channel;
  }

  private static String fast(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(
            channel, GrpcApplication.FAST, options(), StringValue.getDefaultInstance())
        .getValue();
  }

  private static Outcome<StringValue> begin(
      ManagedChannel channel,
      MethodDescriptor<StringValue, StringValue> method,
      CallOptions options) {
    Outcome<StringValue> outcome = new Outcome<>();
    ClientCalls.asyncServerStreamingCall(
        channel.newCall(method, options), StringValue.of("text"), outcome);
    return outcome;
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  @Test
  void sigterm_callsAreAnsweredStreamsEndedAndHealthTurnsNotServing() throws Exception {
    try (Service service = Service.start(GrpcApplication.class, ARGUMENTS)) {
      assertDrained(service);
    }
  }

  /** Without grpc-netty, as most builds have it. */
  @Test
  @Tag("all")
  void sigterm_onShadedNetty_theSame() throws Exception {
    try (Service service =
        Service.startWithout("grpc-netty-[0-9]", GrpcApplication.class, ARGUMENTS)) {
      assertDrained(service);
    }
  }

  private static void assertDrained(Service service) throws Exception {
    Matcher started = PORT.matcher(service.awaitLine("gRPC Server started"));
    assertTrue(started.find());
    int port = Integer.parseInt(started.group(1));
    ManagedChannel channel = connect(port);
    Outcome<HealthCheckResponse> health = new Outcome<>();
    HealthGrpc.newStub(channel).watch(HealthCheckRequest.getDefaultInstance(), health);
    awaitStatus(health, ServingStatus.SERVING);
    Outcome<StringValue> stream = begin(channel, GrpcApplication.STREAM, CallOptions.DEFAULT);
    Outcome<StringValue> slow = begin(channel, GrpcApplication.SLOW, options());
    Awaitility.await().until(() -> !stream.messages.isEmpty());
    service.awaitLine("slow began");

    service.terminate();
    service.awaitLine("Shutdown begun by");
    ManagedChannel late = connect(port);
    int served = 0;
    while (service.index("Readiness fails now") < 0) {
      assertEquals("", fast(served++ % 2 == 0 ? channel : late));
    }

    assertTrue(served > 0);
    awaitStatus(health, ServingStatus.NOT_SERVING);
    assertEquals(Status.Code.OK, slow.status.get(60, TimeUnit.SECONDS).getCode());
    assertEquals(List.of(StringValue.of("text")), slow.messages);
    Status end = stream.status.get(60, TimeUnit.SECONDS);
    assertEquals(Status.Code.UNAVAILABLE, end.getCode());
    assertEquals("the server is shutting down", end.getDescription());
    assertEquals(0, service.awaitExit(), service::output);
    service.awaitLine("Shutdown clean");
    int drained = service.index("CLOSE_CONNECTIONS for up to");
    assertTrue(drained < service.index("bean destroyed"), service::output);
    assertFalse(service.output().contains("is not drained"), service::output);
    channel.shutdownNow();
    late.shutdownNow();
  }

  private static void awaitStatus(Outcome<HealthCheckResponse> health, ServingStatus expected) {
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(
            () ->
                !health.messages.isEmpty()
                    && health.messages.get(health.messages.size() - 1).getStatus() == expected);
  }
}
