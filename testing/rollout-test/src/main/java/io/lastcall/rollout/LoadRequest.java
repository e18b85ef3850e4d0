package io.lastcall.rollout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A request that clients send again and again, open loop: at its rate, whether or not earlier ones
 * are answered. Mutable until {@link RollingUpdate#run}, and not thread-safe.
 *
 * <p>An answer counts as right if it comes to its end with an expected status: 200 to 399, if
 * {@link #expect} names none. A streamed answer is read to its end. A request is never sent twice.
 */
public final class LoadRequest {
  private static final int PIECE = 16_000;
  private static final int MOST_RATE = 5_000;

  private final Type type;
  private final String method;
  private final String path;
  private final byte[] body;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private final Set<Integer> expected = new TreeSet<>();
  private double rate = 50;
  private double keepAlive = 0.5;
  private int open = 10;

  /** The kinds of exchange. */
  enum Type {
    REQUEST,
    WEB_SOCKET,
    EVENT_STREAM
  }

  private LoadRequest(Type type, String method, String path, byte[] body) {
    if (!path.startsWith("/") || path.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "path '" + path + "': not allowed; a path begins with / and is ASCII without spaces");
    }
    this.type = type;
    this.method = method;
    this.path = path;
    this.body = body.clone();
  }

  /** A GET. */
  public static LoadRequest get(String path) {
    return request("GET", path);
  }

  /** A POST with a body, {@code application/json} if no header says otherwise. */
  public static LoadRequest post(String path, String body) {
    return request("POST", path, body.getBytes(StandardCharsets.UTF_8))
        .header("Content-Type", "application/json");
  }

  /** Any other request without a body. */
  public static LoadRequest request(String method, String path) {
    return new LoadRequest(Type.REQUEST, checkedMethod(method), path, new byte[0]);
  }

  /** Any other request with a body, which may be empty. */
  public static LoadRequest request(String method, String path, byte[] body) {
    return new LoadRequest(Type.REQUEST, checkedMethod(method), path, body);
  }

  private static String checkedMethod(String method) {
    if (!method.matches("[A-Z]+") || Set.of("HEAD", "CONNECT").contains(method)) {
      throw new IllegalArgumentException(
          "method '" + method + "': allowed are capital letters, without HEAD and CONNECT");
    }
    return method;
  }

  /** WebSockets that clients hold: each has to end by a close frame, and is opened again. */
  public static LoadRequest webSocket(String path) {
    return new LoadRequest(Type.WEB_SOCKET, "GET", path, new byte[0]);
  }

  /** Event streams that clients hold: each has to end in due form, and is opened again. */
  public static LoadRequest eventStream(String path) {
    return new LoadRequest(Type.EVENT_STREAM, "GET", path, new byte[0]);
  }

  /** Requests per second, above 0 up to 5,000; 50 by default. Not of WebSockets and streams. */
  public LoadRequest rate(double perSecond) {
    if (!(perSecond > 0 && perSecond <= MOST_RATE)) {
      throw new IllegalArgumentException(
          "rate " + perSecond + ": allowed is above 0, up to " + MOST_RATE + " per second");
    }
    rate = perSecond;
    return this;
  }

  /** Which share of them uses connections that are kept, 0 to 1; 0.5 by default. */
  public LoadRequest keepAlive(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("keepAlive " + share + ": allowed is 0 to 1");
    }
    keepAlive = share;
    return this;
  }

  /** How many WebSockets or event streams are held at once, 1 to 1,000; 10 by default. */
  public LoadRequest open(int count) {
    if (count < 1 || count > 1_000) {
      throw new IllegalArgumentException("open " + count + ": allowed is 1 to 1,000");
    }
    open = count;
    return this;
  }

  /** A header field, in place of an earlier one of this name. */
  public LoadRequest header(String name, String value) {
    if (!name.matches("[A-Za-z0-9_-]+") || value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("header '" + name + ": " + value + "': not allowed");
    }
    headers.keySet().removeIf(name::equalsIgnoreCase);
    headers.put(name, value);
    return this;
  }

  /** The statuses that are right, in place of 200 to 399. */
  public LoadRequest expect(int... statuses) {
    for (int status : statuses) {
      if (status < 200 || status > 599) {
        throw new IllegalArgumentException("expect " + status + ": allowed is 200 to 599");
      }
      expected.add(status);
    }
    return this;
  }

  Type type() {
    return type;
  }

  double rate() {
    return type == Type.REQUEST ? rate : 0;
  }

  double keepAlive() {
    return keepAlive;
  }

  int open() {
    return open;
  }

  String path() {
    return path;
  }

  Map<String, String> headers() {
    return headers;
  }

  int length() {
    return body.length;
  }

  String label() {
    return method + " " + path;
  }

  String expectation() {
    return expected.isEmpty() ? "200 to 399" : expected.toString();
  }

  boolean accepts(int status) {
    return expected.isEmpty() ? status >= 200 && status < 400 : expected.contains(status);
  }

  /** Its body, in pieces that fit into a frame of HTTP/2; none for a GET. */
  List<byte[]> pieces() {
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < body.length; from += PIECE) {
      pieces.add(Arrays.copyOfRange(body, from, Math.min(body.length, from + PIECE)));
    }
    if (pieces.isEmpty() && !method.equals("GET")) {
      pieces.add(body);
    }
    return pieces;
  }
}
