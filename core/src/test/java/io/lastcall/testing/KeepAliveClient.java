package io.lastcall.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends one request after the other on one connection, none of them twice, until a response says
 * {@code Connection: close}. What goes wrong before fails it; so does a reset instead of a FIN.
 */
public record KeepAliveClient(int port, AtomicInteger answered) implements Callable<Integer> {
  private static final String UPLOAD =
      "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
  private static final String WORK = "GET /work?ms=5 HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String FAST = "GET /fast HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final String LAST = "\r\nconnection: close\r\n";

  @Override
  public Integer call() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      InputStream in = socket.getInputStream();
      String head = "";
      int requests = 0;
      while (!head.contains(LAST)) {
        boolean upload = requests % 2 == 0;
        socket.getOutputStream().write((upload ? UPLOAD : WORK).getBytes(ISO_8859_1));
        head = head(in);
        assertTrue(head.startsWith("http/1.1 200 "), head);
        String body = new String(in.readNBytes(length(head)), ISO_8859_1);
        assertEquals(upload ? "3" : "w".repeat(1_000), body);
        requests++;
        answered.getAndIncrement();
      }
      assertEquals(-1, in.read());
      return requests;
    }
  }

  /**
   * Pipelines two requests at a time, until a response is the last; fails if one is not answered.
   */
  public static void pipeline(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      InputStream in = socket.getInputStream();
      String head = "";
      while (!head.contains(LAST)) {
        socket.getOutputStream().write((FAST + FAST).getBytes(ISO_8859_1));
        for (int i = 0; i < 2 && !head.contains(LAST); i++) {
          head = head(in);
          assertEquals("fast\n", new String(in.readNBytes(length(head)), ISO_8859_1));
        }
      }
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("behind '" + head + "'");
      }
      head.append((char) next);
    }
    return head.toString().toLowerCase(Locale.ROOT);
  }

  private static int length(String head) {
    String name = "content-length: ";
    int at = head.indexOf(name) + name.length();
    return Integer.parseInt(head.substring(at, head.indexOf("\r\n", at)));
  }
}
