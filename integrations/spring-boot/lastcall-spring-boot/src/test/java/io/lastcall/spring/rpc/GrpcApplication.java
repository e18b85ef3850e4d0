package io.lastcall.spring.rpc;

import static io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING;
import static io.grpc.MethodDescriptor.MethodType.UNARY;

import com.google.protobuf.StringValue;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.stereotype.Service;

/** A gRPC service as a user writes it: nothing in it but one annotation knows of a shutdown. */
@SpringBootApplication(proxyBeanMethods = false)
public class GrpcApplication {
  /** Answers at once. */
  public static final MethodDescriptor<StringValue, StringValue> FAST = method("Fast", UNARY);

  /** Answers once DRAIN has begun, and not before. */
  public static final MethodDescriptor<StringValue, StringValue> SLOW = method("Slow", UNARY);

  /** One message, and then nothing happens. */
  public static final MethodDescriptor<StringValue, StringValue> STREAM =
      method("Stream", SERVER_STREAMING);

  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(GrpcApplication.class, arguments);
  }

  private static MethodDescriptor<StringValue, StringValue> method(String name, MethodType type) {
    var text = ProtoUtils.marshaller(StringValue.getDefaultInstance());
    return MethodDescriptor.newBuilder(text, text)
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Orders", name))
        .build();
  }

  /** The service. */
  @Service
  public static final class Orders implements BindableService, AutoCloseable {
    private final CountDownLatch draining = new CountDownLatch(1);

    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder("test.Orders")
          .addMethod(FAST, ServerCalls.asyncUnaryCall(Orders::answer))
          .addMethod(SLOW, ServerCalls.asyncUnaryCall(this::slow))
          .addMethod(
              STREAM,
              ServerCalls.asyncServerStreamingCall((request, answer) -> answer.onNext(request)))
          .build();
    }

    private void slow(StringValue request, StreamObserver<StringValue> answer) {
      System.out.println("slow began");
      try {
        draining.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      answer(request, answer);
    }

    private static void answer(StringValue request, StreamObserver<StringValue> answer) {
      answer.onNext(request);
      answer.onCompleted();
    }

    @OnShutdown(phase = Phase.DRAIN)
    void drain() {
      draining.countDown();
    }

    @Override
    public void close() {
      System.out.println("bean destroyed");
    }
  }
}
