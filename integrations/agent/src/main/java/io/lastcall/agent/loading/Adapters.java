package io.lastcall.agent.loading;

import io.lastcall.agent.CoreLoader;
import io.lastcall.agent.log.AgentLog;
import io.lastcall.agent.service.AgentShutdown;
import java.lang.ref.WeakReference;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The adapters of each class loader that has servers. A loader's own classes hold its adapters, so
 * that both go together. Thread-safe.
 */
public final class Adapters {
  private static final Logger log = LoggerFactory.getLogger(Adapters.class);

  private static final String HOOKS = "io/lastcall/agent/server/";

  private final AgentShutdown shutdown;
  private final CoreLoader core = (CoreLoader) Adapters.class.getClassLoader();

  /** Guarded by itself. */
  private final Map<ClassLoader, WeakReference<Made>> byLoader = new WeakHashMap<>();

  private final ClassValue<Made> byClass =
      new ClassValue<>() {
        @Override
        protected Made computeValue(Class<?> declaring) {
          return made(declaring.getClassLoader());
        }
      };

  /** Creates them for the process's shutdown. */
  public Adapters(AgentShutdown shutdown) {
    this.shutdown = shutdown;
  }

  /**
   * Returns the hooks next to a server's class; null where nothing fits, which has been logged.
   *
   * @param declaring a class of that server
   */
  public @Nullable ServerHooks of(Class<?> declaring, ServerKind kind) {
    return byClass.get(declaring).hooks(kind);
  }

  private Made made(@Nullable ClassLoader loader) {
    ClassLoader servers = loader == null ? ClassLoader.getPlatformClassLoader() : loader;
    synchronized (byLoader) {
      WeakReference<Made> known = byLoader.get(servers);
      Made made = known == null ? null : known.get();
      if (made == null) {
        AdapterLoader adapters = new AdapterLoader(servers, core);
        ClassLoader application = loader == null ? ClassLoader.getSystemClassLoader() : servers;
        AgentLog.useThatOf(
            application, loader == null ? new AdapterLoader(application, core) : adapters);
        made = new Made(adapters);
        byLoader.put(servers, new WeakReference<>(made));
      }
      return made;
    }
  }

  /** Those of one loader. */
  private final class Made {
    private final AdapterLoader loader;

    /** Guarded by this. Empty: nothing fits. */
    private final Map<ServerKind, Optional<ServerHooks>> hooks = new EnumMap<>(ServerKind.class);

    Made(AdapterLoader loader) {
      this.loader = loader;
    }

    synchronized @Nullable ServerHooks hooks(ServerKind kind) {
      return hooks.computeIfAbsent(kind, this::make).orElse(null);
    }

    private Optional<ServerHooks> make(ServerKind kind) {
      Linkage linkage = new Linkage(loader);
      Optional<String> problem =
          linkage.problem(hooks(kind.prefix())).or(() -> linkage.problem(classes(kind.needed())));
      if (problem.isPresent()) {
        log.warn(
            "{} is not drained, since this version {}. It shuts down as without Lastcall's agent",
            kind.label(),
            problem.get());
        return Optional.empty();
      }
      String coarse =
          linkage
              .problem(classes(kind.exact()))
              .or(() -> linkage.problem(hooks("Exact" + kind.prefix())))
              .orElse("");
      try {
        return Optional.of(
            (ServerHooks)
                loader
                    .loadClass(HOOKS.replace('/', '.') + kind.prefix() + "Hooks")
                    .getConstructor(AgentShutdown.class, String.class)
                    .newInstance(shutdown, coarse));
      } catch (ReflectiveOperationException | LinkageError failure) {
        shutdown.failed(kind.label(), failure);
        return Optional.empty();
      }
    }

    private List<String> hooks(String prefix) {
      return loader.classes("io/lastcall/agent/server").stream()
          .filter(name -> name.startsWith(HOOKS + prefix))
          .toList();
    }

    private List<String> classes(String packagePath) {
      return packagePath.isEmpty() ? List.of() : loader.classes(packagePath);
    }
  }
}
