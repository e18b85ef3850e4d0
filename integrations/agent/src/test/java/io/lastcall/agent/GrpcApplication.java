package io.lastcall.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A gRPC server as anybody writes it. */
final class GrpcApplication {
  /** Asked for a path, as the other applications are. */
  static final MethodDescriptor<String, String> ANSWER =
      MethodDescriptor.newBuilder(new Text(), new Text())
          .setType(MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("Application", "Answer"))
          .build();

  private GrpcApplication() {}

  public static void main(String[] args) throws Exception {
    Server server =
        NettyServerBuilder.forPort(0)
            .addService(
                ServerServiceDefinition.builder("Application")
                    .addMethod(ANSWER, ServerCalls.asyncUnaryCall(GrpcApplication::answer))
                    .build())
            .build()
            .start();
    System.out.println("ready on port " + server.getPort());
    server.awaitTermination();
  }

  private static void answer(String path, StreamObserver<String> answer) {
    answer.onNext(Rendezvous.answer(path));
    answer.onCompleted();
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
