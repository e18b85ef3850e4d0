package io.lastcall.spring;

import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.springframework.util.ClassUtils;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.NativeWebSocketSession;

/** Jetty's own sessions below Spring's. */
final class JettySessions {
  private static final boolean PRESENT =
      ClassUtils.isPresent(
          "org.eclipse.jetty.websocket.api.Session", JettySessions.class.getClassLoader());

  private JettySessions() {}

  /**
   * Closes a session, if it is one of Jetty's, without a wait: Spring's own {@code close} awaits
   * that the frame has left, which it never does to a client that takes nothing in.
   *
   * @return whether it is
   */
  static boolean close(WebSocketSession session, CloseStatus status) {
    if (PRESENT && session instanceof NativeWebSocketSession known) {
      Session jetty = known.getNativeSession(Session.class);
      if (jetty != null) {
        jetty.close(status.getCode(), status.getReason(), Callback.NOOP);
        return true;
      }
    }
    return false;
  }
}
