package io.lastcall.subjects.jdk;

import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.examples.jdk.Quickstart;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * The quick start with the drill's paths. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class JdkSubject {
  private JdkSubject() {}

  /** Starts the server and returns; its threads keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    try {
      int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
      HttpServer server = HttpServer.create(new InetSocketAddress(port), 1024);
      if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
        server.createContext("/", new Routes());
        server.createContext("/sse", new Events(new ConnectionControl().connections()));
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
      } else {
        GracefulShutdown shutdown = install();
        // Long-lived: registered, and not counted.
        server.createContext("/sse", new Events(shutdown.connections()));
        Quickstart.serve(shutdown, server, new Routes());
      }
      System.out.println("ready on port " + server.getAddress().getPort());
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  private static GracefulShutdown install() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    String probePort = System.getenv("PROBE_PORT");
    if (probePort != null) {
      builder.configuration("probe-port", probePort, "environment PROBE_PORT");
    }
    return builder.install();
  }
}
