package io.lastcall.agent.loading;

import org.jspecify.annotations.Nullable;

/** What the agent does at the places of one kind of server, next to that server's classes. */
public interface ServerHooks {
  /**
   * Called from a place, on the server's own thread.
   *
   * @param place its name
   * @param self the object whose method it is in; null in a static one
   * @param value the argument or the result that the place hands on
   * @return what takes its place, if the place is one that asks for that
   * @throws Exception logged; the server goes on without the agent
   */
  @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) throws Exception;
}
