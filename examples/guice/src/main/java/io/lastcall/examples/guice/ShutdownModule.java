package io.lastcall.examples.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Binding;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Provider;
import com.google.inject.Scopes;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.LinkedKeyBinding;
import com.google.inject.spi.ProvisionListener;
import io.lastcall.GracefulShutdown;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the singletons with {@code @OnShutdown} that Guice makes, when it makes them. The scope may
 * be at the class, at the provider, or at what is bound to the class, {@code
 * bind(A.class).to(B.class).in(Singleton.class)}, but not within a private module or a child
 * injector. What is bound with {@code toInstance} is not made by Guice: give it to {@code
 * components(...)} yourself.
 */
public final class ShutdownModule extends AbstractModule {
  private final GracefulShutdown shutdown;

  /** Creates a module for {@code Guice.createInjector(new ShutdownModule(shutdown), ...)}. */
  public ShutdownModule(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  @Override
  protected void configure() {
    bindListener(Matchers.any(), new Finder(shutdown, getProvider(Injector.class)));
  }

  private static final class Finder implements ProvisionListener {
    private final GracefulShutdown shutdown;
    private final Provider<Injector> injector;
    private final Map<Key<?>, Boolean> singletons = new ConcurrentHashMap<>();

    Finder(GracefulShutdown shutdown, Provider<Injector> injector) {
      this.shutdown = shutdown;
      this.injector = injector;
    }

    @Override
    public <T> void onProvision(ProvisionInvocation<T> provision) {
      T made = provision.provision();
      if (made != null && isSingleton(provision.getBinding())) {
        take(made);
      }
    }

    private boolean isSingleton(Binding<?> binding) {
      Boolean known = singletons.get(binding.getKey());
      if (known != null) {
        return known;
      }
      boolean found = Scopes.isSingleton(binding) || isBoundAsOne(binding.getKey());
      singletons.put(binding.getKey(), found);
      return found;
    }

    /** What makes a B for A knows nothing of A's scope. */
    private boolean isBoundAsOne(Key<?> key) {
      return injector.get().getAllBindings().values().stream()
          .filter(Scopes::isSingleton)
          .anyMatch(
              binding ->
                  binding instanceof LinkedKeyBinding<?> linked
                      && linked.getLinkedKey().equals(key));
    }

    /** One that is made only now, by a shutdown under way, has come too late for it. */
    private void take(Object made) {
      try {
        if (!GracefulShutdown.steps(made).isEmpty()) {
          shutdown.components(made);
        }
      } catch (IllegalStateException e) {
        if (!shutdown.isShuttingDown()) {
          throw e;
        }
      }
    }
  }
}
