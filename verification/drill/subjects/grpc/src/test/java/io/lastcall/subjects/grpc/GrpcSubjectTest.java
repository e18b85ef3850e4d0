package io.lastcall.subjects.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.lastcall.testing.ForkedExample;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("all")
@Timeout(120)
class GrpcSubjectTest {
  @Test
  void sigterm_streamIsOpen_endsWithItsLastMessageAndTheExitIsClean() throws Exception {
    try (ForkedExample server = new ForkedExample(GrpcSubject.class, "0s", Map.of())) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        assertEquals("here", call(channel, "here"));
        Iterator<String> ticks =
            ClientCalls.blockingServerStreamingCall(
                channel, Echo.TICKS, CallOptions.DEFAULT, "tick");
        assertEquals("tick", ticks.next());

        server.sigterm();

        List<String> rest = new ArrayList<>();
        ticks.forEachRemaining(rest::add);
        assertEquals("last call", rest.get(rest.size() - 1));
        List<String> log = server.assertEndsClean();
        assertTrue(
            log.stream().anyMatch(line -> line.contains("Closing 1 long-lived connection")),
            log::toString);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static String call(ManagedChannel channel, String text) {
    return ClientCalls.blockingUnaryCall(channel, Echo.ECHO, CallOptions.DEFAULT, text);
  }
}
