package io.lastcall.agent.server;

import io.lastcall.Removable;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ShutdownFilter;
import java.util.Objects;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;

/** Tomcat's connectors and applications. */
public final class TomcatHooks implements ServerHooks {
  private static final String FILTER = "lastcall-agent";

  private final AgentShutdown shutdown;

  /** Why it is coarse; empty: it is exact. */
  private final String coarse;

  private final AgentFilter filter;

  /** Called by name. */
  public TomcatHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
    this.coarse = coarse;
    filter = new AgentFilter(shutdown);
  }

  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    ShutdownFilter installed = filter.get();
    if (installed == null) {
      return value;
    }
    switch (place) {
      case "protocol" -> {
        return coarse.isEmpty() ? ExactTomcat.protocol(value) : value;
      }
      case "connector" -> follow((Connector) Objects.requireNonNull(self), installed);
      default -> addFilter((StandardContext) Objects.requireNonNull(self), installed);
    }
    return value;
  }

  /** As it is initialised, and so before it is bound. */
  private void follow(Connector connector, ShutdownFilter installed) {
    if (!coarse.isEmpty()) {
      ContainerInternals.warnOfCoarseDrain(
          "This Tomcat " + coarse, "tomcat:" + connector.getPort());
    }
    Removable server =
        shutdown.server(
            coarse.isEmpty()
                ? ExactTomcat.server(connector, installed)
                : TomcatCoarse.server(connector));
    connector.addLifecycleListener(
        event -> {
          if (event.getType().equals(Lifecycle.AFTER_START_EVENT)) {
            shutdown.started();
          } else if (event.getType().equals(Lifecycle.AFTER_DESTROY_EVENT) && server != null) {
            server.remove();
          }
        });
  }

  /** In front of all others, which are known by now. */
  private static void addFilter(StandardContext context, ShutdownFilter filter) {
    if (context.findFilterDef(FILTER) != null) {
      return;
    }
    FilterDef definition = new FilterDef();
    definition.setFilterName(FILTER);
    definition.setFilterClass(ShutdownFilter.class.getName());
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    FilterMap first = new FilterMap();
    first.setFilterName(FILTER);
    first.addURLPattern("/*");
    first.setDispatcher("REQUEST");
    first.setDispatcher("ASYNC");
    FilterMap[] others = context.findFilterMaps();
    context.addFilterDef(definition);
    for (FilterMap other : others) {
      context.removeFilterMap(other);
    }
    context.addFilterMap(first);
    for (FilterMap other : others) {
      context.addFilterMap(other);
    }
  }
}
