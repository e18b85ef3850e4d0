package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.servlet.ShutdownFilter;
import org.jspecify.annotations.Nullable;

/** The filter of the agent's shutdown: one for all connectors and applications of a container. */
final class AgentFilter {
  private final AgentShutdown shutdown;
  private @Nullable GracefulShutdown counted;
  private @Nullable ShutdownFilter filter;

  AgentFilter(AgentShutdown shutdown) {
    this.shutdown = shutdown;
  }

  /** Returns the filter of the shutdown that is installed; null if the agent does nothing. */
  synchronized @Nullable ShutdownFilter get() {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return null;
    }
    if (installed != counted) { // the agent may have taken the first back
      counted = installed;
      filter = ShutdownFilter.of(installed);
    }
    return filter;
  }
}
