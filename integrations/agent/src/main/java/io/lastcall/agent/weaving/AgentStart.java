package io.lastcall.agent.weaving;

import io.lastcall.agent.loading.Adapters;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.loading.ServerKind;
import io.lastcall.agent.service.AgentShutdown;
import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Begins what {@code Agent} has loaded this class for, and takes the calls from the places. */
public final class AgentStart {
  private final Map<String, Place> places = new HashMap<>();

  private final AgentShutdown shutdown = new AgentShutdown();
  private final Adapters adapters = new Adapters(shutdown);

  private AgentStart() {
    for (Place place : Place.ALL) {
      places.put(place.name(), place);
    }
  }

  /**
   * Called by {@code Agent}, by name.
   *
   * @return takes each call: the place's name, its class, the object, the value
   */
  public static Function<Object[], @Nullable Object> begin(Instrumentation instrumentation) {
    AgentStart start = new AgentStart();
    instrumentation.addTransformer(new Weaver(AgentStart.class.getClassLoader()));
    start.shutdown.reportWithoutServer();
    return call -> start.hook((String) call[0], (Class<?>) call[1], call[2], call[3]);
  }

  private @Nullable Object hook(
      String name, Class<?> declaring, @Nullable Object self, @Nullable Object value) {
    Place place = places.get(name);
    if (place == null || shutdown.isAside()) {
      return value;
    }
    ServerKind kind = place.kind();
    if (kind == null) {
      shutdown.stepAside("the application installs Lastcall itself");
      return value;
    }
    if (shutdown.isGivenUp(kind.label())) {
      return value;
    }
    try {
      ServerHooks hooks = adapters.of(declaring, kind);
      return hooks == null ? value : hooks.on(name, self, value);
    } catch (Throwable t) {
      shutdown.failed(kind.label(), t);
      return value;
    }
  }
}
