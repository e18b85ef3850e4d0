package io.lastcall.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Channels of grpc-java, a connection each, as applications use them. */
final class Clients implements AutoCloseable {
  /** Only ever reached by a bug. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port;
  private final List<ManagedChannel> channels = new ArrayList<>();

  Clients(int port) {
    this.port = port;
  }

  /** Returns a channel that has not connected yet. */
  ManagedChannel fresh() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  /** Returns a channel that is connected and idle. */
  ManagedChannel idle() {
    ManagedChannel channel = fresh();
    echo(channel, "connected");
    return channel;
  }

  static String echo(Channel channel, String text) {
    return ClientCalls.blockingUnaryCall(channel, Echo.ECHO, options(), text);
  }

  static CallOutcome<String> start(
      Channel channel, MethodDescriptor<String, String> method, String request) {
    return start(channel, method, options(), request);
  }

  static CallOutcome<String> startWithoutDeadline(
      Channel channel, MethodDescriptor<String, String> method, String request) {
    return start(channel, method, CallOptions.DEFAULT, request);
  }

  private static CallOutcome<String> start(
      Channel channel,
      MethodDescriptor<String, String> method,
      CallOptions options,
      String request) {
    CallOutcome<String> outcome = new CallOutcome<>();
    ClientCalls.asyncServerStreamingCall(channel.newCall(method, options), request, outcome);
    return outcome;
  }

  static ServingStatus check(Channel channel, String service) {
    return HealthGrpc.newBlockingStub(channel)
        .withDeadlineAfter(PATIENCE)
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  static CallOutcome<HealthCheckResponse> watch(Channel channel) {
    CallOutcome<HealthCheckResponse> outcome = new CallOutcome<>();
    HealthGrpc.newStub(channel).watch(HealthCheckRequest.getDefaultInstance(), outcome);
    return outcome;
  }

  private static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(PATIENCE);
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
