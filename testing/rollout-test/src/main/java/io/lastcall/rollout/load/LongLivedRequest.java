package io.lastcall.rollout.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A WebSocket or an event stream that clients hold open.
 *
 * @param count how many at once
 */
public record LongLivedRequest(Request request, boolean webSocket, int count) {
  private static final int SWITCHING = 101;
  private static final int OK = 200;

  /** A WebSocket; any close frame is its end in due form. */
  public static LongLivedRequest webSocket(String path, Map<String, String> fields, int count) {
    Map<String, String> all = new HashMap<>(fields);
    all.putAll(WebSocketReader.fields());
    return new LongLivedRequest(
        get("WebSocket " + path, path, all, (status, code) -> status == SWITCHING), true, count);
  }

  /** An event stream. */
  public static LongLivedRequest eventStream(String path, Map<String, String> fields, int count) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("Accept", "text/event-stream");
    return new LongLivedRequest(
        get("event stream " + path, path, all, (status, body) -> status == OK), false, count);
  }

  /** The status with which it begins. */
  public int firstStatus() {
    return webSocket ? SWITCHING : OK;
  }

  private static Request get(
      String kind, String path, Map<String, String> fields, Request.Expected expected) {
    return new Request(kind, "GET", path, fields, List.of(), Duration.ZERO, false, expected);
  }
}
