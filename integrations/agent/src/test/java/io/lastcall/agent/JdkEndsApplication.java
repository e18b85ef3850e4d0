package io.lastcall.agent;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** The JDK's server, plain or over TLS, whose responses end in every way that there is. */
final class JdkEndsApplication {
  private JdkEndsApplication() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    String keys = System.getProperty("keys");
    HttpServer server;
    if (keys == null) {
      server = HttpServer.create(any, 64);
    } else {
      HttpsServer tls = HttpsServer.create(any, 64);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(NettyEchoApplication.keys(keys).getKeyManagers(), null, null);
      tls.setHttpsConfigurator(new HttpsConfigurator(context));
      server = tls;
    }
    server.setExecutor(Executors.newCachedThreadPool());
    HttpContext context = server.createContext("/", JdkEndsApplication::answer);
    context.getFilters().add(Filter.beforeHandler("wraps", JdkEndsApplication::wrap));
    server.start();
    System.out.println("ready on port " + server.getAddress().getPort());
  }

  private static void wrap(HttpExchange exchange) {
    if (exchange.getRequestURI().getPath().equals("/wrapped")) {
      exchange.setStreams(null, new BufferedOutputStream(exchange.getResponseBody()));
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    OutputStream body = exchange.getResponseBody();
    byte[] text =
        ("TLS " + (exchange instanceof HttpsExchange)).getBytes(StandardCharsets.US_ASCII);
    switch (exchange.getRequestURI().getPath()) {
      case "/none" -> later(() -> exchange.sendResponseHeaders(204, -1));
      case "/unanswered" -> later(exchange::close);
      case "/throws" -> throw new IOException("as an application may");
      case "/flushed" -> {
        exchange.sendResponseHeaders(200, text.length);
        body.write(text);
        body.flush(); // and is never closed
      }
      case "/chunked" ->
          later(
              () -> {
                exchange.sendResponseHeaders(200, 0);
                body.write(text);
                body.close();
              });
      default -> {
        exchange.sendResponseHeaders(200, text.length);
        body.write(text);
        body.close();
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void later(Work work) {
    new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .start();
  }
}
