package io.lastcall.servlet;

import io.lastcall.connection.Sessions;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the HTTP sessions of a context, as in {@code context.addListener(new
 * SessionCounter(shutdown.sessions("http")))}. A session is open from its creation until it is
 * invalidated or expires. Sessions that a filter keeps elsewhere are not the container's, and are
 * not counted. Thread-safe.
 */
public final class SessionCounter implements HttpSessionListener, HttpSessionIdListener {
  private final Sessions sessions;
  private final Map<String, Sessions.Session> open = new ConcurrentHashMap<>();

  /** Counts them as {@code sessions}. */
  public SessionCounter(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void sessionCreated(HttpSessionEvent event) {
    Sessions.Session before = open.put(event.getSession().getId(), sessions.adopt());
    if (before != null) {
      before.close(); // two contexts of one listener, and one identity
    }
  }

  /** The container renames a session when its user logs in. */
  @Override
  public void sessionIdChanged(HttpSessionEvent event, String oldId) {
    Sessions.Session session = open.remove(oldId);
    if (session != null) {
      open.put(event.getSession().getId(), session);
    }
  }

  /** One that was loaded from a file, or came from another node, was never counted. */
  @Override
  public void sessionDestroyed(HttpSessionEvent event) {
    Sessions.Session session = open.remove(event.getSession().getId());
    if (session != null) {
      session.close();
    }
  }
}
