package io.lastcall.grpc;

import io.grpc.netty.NettyServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;

/** A server of this JVM, in whose role the test does what a shutdown would do. */
final class TestServer implements AutoCloseable {
  private final DrainableServer role;
  private final int port;

  TestServer(GracefulShutdown shutdown, NettyServerBuilder builder) throws IOException {
    List<DrainableServer> roles = new ArrayList<>();
    port = grpc(shutdown, roles).start(builder).getPort();
    role = roles.get(0);
  }

  /** Returns what gives the roles of its servers to the test, and not to the shutdown. */
  static GrpcShutdown grpc(GracefulShutdown shutdown, List<DrainableServer> roles) {
    return new GrpcShutdown(
        shutdown,
        role -> {
          roles.add(role);
          return () -> roles.remove(role);
        },
        true,
        Set.of());
  }

  static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(60), Ticker.system());
  }

  DrainableServer role() {
    return role;
  }

  int port() {
    return port;
  }

  /** Connects; returns when the server has accepted. */
  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    Awaitility.await().until(() -> role.connections().size() == 1);
    return socket;
  }

  @Override
  public void close() throws IOException {
    try {
      role.stop(soon());
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
