package io.lastcall.servlet;

import io.lastcall.connection.LongLivedConnection;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Says of a request whether its response has an end, where the library cannot know. An event stream
 * in answer to GET has none; everything else has one, and is waited for in DRAIN.
 *
 * <p>Long polling, a download without end, or a stream without end in answer to POST lasts until
 * somebody ends it: {@link #mark} it. Such a request does not hold the drain; it is told to end in
 * CLOSE_CONNECTIONS. An event stream in answer to GET that ends by itself, such as the answer of a
 * chat, is waited for if it is {@linkplain #markFinite marked finite}.
 */
public final class LongLived {
  private LongLived() {}

  /**
   * Marks a request as long-lived, from any thread, while it is running. A second mark changes
   * nothing. The registration ends when the response is complete.
   *
   * @param request as the application sees it
   * @param kind for counts and reports, such as {@code sse}
   * @param onClose called once when the request is to end, at once if that time has come; ends it
   *     in the application's way, and must not block
   * @return false if the request does not come through a {@link ShutdownFilter}: nobody counts it,
   *     and nobody will call {@code onClose}
   */
  public static boolean mark(HttpServletRequest request, String kind, Runnable onClose) {
    Exchange exchange = Exchange.of(request);
    if (exchange == null) {
      return false;
    }
    exchange.becomeLongLived(request, new Marked(kind, onClose));
    return true;
  }

  /**
   * Says of a request, from any thread, while it is running, that its response will be an event
   * stream, though its head does not say so before the first event. It is one from now on: told to
   * end, it is completed, with the type {@code text/event-stream} if it has none. A second mark
   * changes nothing.
   *
   * @param request as the application sees it
   * @return false if the request does not come through a {@link ShutdownFilter}, so that nobody
   *     counts it, or was {@linkplain #markFinite marked finite} before
   */
  public static boolean markEventStream(HttpServletRequest request) {
    Exchange exchange = Exchange.of(request);
    if (exchange == null || exchange.isFinite()) {
      return false;
    }
    exchange.becomeEventStream();
    return true;
  }

  /**
   * Says of a request, from any thread, before its response begins, that the response ends by
   * itself though it is an event stream in answer to GET: DRAIN waits for it, and nothing of the
   * library ends it. A second mark changes nothing.
   *
   * @param request as the application sees it
   * @return false if the request does not come through a {@link ShutdownFilter}, so that nobody
   *     counts it, or is long-lived already
   */
  public static boolean markFinite(HttpServletRequest request) {
    Exchange exchange = Exchange.of(request);
    return exchange != null && exchange.becomeFinite();
  }

  private record Marked(String kind, Runnable onClose) implements LongLivedConnection {
    @Override
    public void close() {
      onClose.run();
    }
  }
}
