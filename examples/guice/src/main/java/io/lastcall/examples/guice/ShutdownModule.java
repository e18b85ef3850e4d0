package io.lastcall.examples.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Scopes;
import com.google.inject.matcher.Matchers;
import com.google.inject.spi.ProvisionListener;
import io.lastcall.GracefulShutdown;

/**
 * Finds the singletons with {@code @OnShutdown} that Guice makes, when it makes them. The scope
 * must be at the class or at the provider ({@code @Singleton}). What is bound with {@code
 * toInstance} is not made by Guice: give it to {@code components(...)} yourself.
 */
public final class ShutdownModule extends AbstractModule {
  private final GracefulShutdown shutdown;

  /** Creates a module for {@code Guice.createInjector(new ShutdownModule(shutdown), ...)}. */
  public ShutdownModule(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  @Override
  protected void configure() {
    bindListener(Matchers.any(), new Finder(shutdown));
  }

  private record Finder(GracefulShutdown shutdown) implements ProvisionListener {
    @Override
    public <T> void onProvision(ProvisionInvocation<T> provision) {
      T made = provision.provision();
      if (made != null && Scopes.isSingleton(provision.getBinding())) {
        take(made);
      }
    }

    /** One that is made only now, by a shutdown under way, has come too late for it. */
    private void take(Object made) {
      try {
        shutdown.components(made);
      } catch (IllegalStateException e) {
        if (shutdown.status().trigger().isEmpty()) {
          throw e;
        }
      }
    }
  }
}
