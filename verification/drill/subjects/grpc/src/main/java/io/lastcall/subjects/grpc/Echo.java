package io.lastcall.subjects.grpc;

import static io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING;
import static io.grpc.MethodDescriptor.MethodType.UNARY;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.lastcall.grpc.CallEnding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The application. All it knows of shutdowns is how a stream of ticks ends. */
final class Echo implements BindableService {
  /** Answers its request. */
  static final MethodDescriptor<String, String> ECHO = method("Echo", UNARY);

  /** Answers its request, a decimal number, after as many milliseconds. */
  static final MethodDescriptor<String, String> WORK = method("Work", UNARY);

  /** A message each {@value #TICK_MILLIS} ms until told to end. */
  static final MethodDescriptor<String, String> TICKS = method("Ticks", SERVER_STREAMING);

  private static final int TICK_MILLIS = 500;

  private final ScheduledExecutorService timer;

  /**
   * @param timer of one thread: a {@code StreamObserver} is not thread-safe
   */
  Echo(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("lastcall.Echo")
        .addMethod(ECHO, ServerCalls.asyncUnaryCall(Echo::answer))
        .addMethod(WORK, ServerCalls.asyncUnaryCall(this::work))
        .addMethod(TICKS, ServerCalls.asyncServerStreamingCall(this::ticks))
        .build();
  }

  private void work(String millis, StreamObserver<String> answer) {
    timer.schedule(() -> answer(millis, answer), Long.parseLong(millis), TimeUnit.MILLISECONDS);
  }

  private static void answer(String text, StreamObserver<String> answer) {
    answer.onNext(text);
    answer.onCompleted();
  }

  private void ticks(String name, StreamObserver<String> answer) {
    ServerCallStreamObserver<String> ticks = (ServerCallStreamObserver<String>) answer;
    Future<?> ticking =
        timer.scheduleAtFixedRate(() -> ticks.onNext(name), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    ticks.setOnCancelHandler(() -> ticking.cancel(false));
    // Without this line the stream would end with UNAVAILABLE.
    CallEnding.onShutdown(() -> timer.execute(() -> end(ticking, ticks)));
  }

  private static void end(Future<?> ticking, StreamObserver<String> ticks) {
    ticking.cancel(false);
    ticks.onNext("last call");
    ticks.onCompleted();
  }

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.newBuilder(new Text(), new Text())
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("lastcall.Echo", name))
        .build();
  }

  /** Messages are UTF-8, so that nothing has to be generated. */
  private static final class Text implements Marshaller<String> {
    @Override
    public InputStream stream(String text) {
      return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
