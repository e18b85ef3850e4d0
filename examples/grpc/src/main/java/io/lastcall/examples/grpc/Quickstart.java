package io.lastcall.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.lastcall.GracefulShutdown;
import io.lastcall.grpc.GrpcShutdown;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** What a gRPC service needs to leave without losing a call. */
public final class Quickstart {
  private Quickstart() {}

  /** Serves port 8080 until a SIGTERM. */
  public static void main(String[] args) throws IOException, InterruptedException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    NettyServerBuilder builder = NettyServerBuilder.forPort(8080).addService(hello());
    Server server = GrpcShutdown.of(shutdown).start(builder);

    shutdown.started();
    server.awaitTermination(); // the server's threads are daemons
  }

  /** In place of what protoc generates: one method, which greets the name that it is sent. */
  private static ServerServiceDefinition hello() {
    MethodDescriptor<String, String> method =
        MethodDescriptor.newBuilder(new Text(), new Text())
            .setType(MethodType.UNARY)
            .setFullMethodName("example.Greeter/Hello")
            .build();
    return ServerServiceDefinition.builder("example.Greeter")
        .addMethod(method, ServerCalls.asyncUnaryCall(Quickstart::hello))
        .build();
  }

  private static void hello(String name, StreamObserver<String> answer) {
    answer.onNext("hello " + name);
    answer.onCompleted();
  }

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
