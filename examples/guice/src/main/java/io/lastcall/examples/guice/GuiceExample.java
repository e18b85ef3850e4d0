package io.lastcall.examples.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Provides;
import com.google.inject.Stage;
import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Objects made by Guice that have something to do before the exit. */
public final class GuiceExample {
  private GuiceExample() {}

  /** An object made by its constructor. */
  @Singleton
  @SuppressWarnings("unused") // found by reflection
  static class Orders {
    @OnShutdown(phase = Phase.DRAIN)
    private void stopConsumers() {
      say("consumers stopped");
    }
  }

  /** An object made by a provider method. */
  static class Pool {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    void close() {
      say("pool closed");
    }
  }

  /** What others know of an object. */
  interface Journal {}

  /** The object, which its binding makes a singleton. */
  static class FileJournal implements Journal {
    @OnShutdown(phase = Phase.EXIT)
    void close() {
      say("journal closed");
    }
  }

  /** Not a singleton: nobody knows how many there are, or whether they still are. */
  static class Job {
    @Inject
    Job() {}

    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      say("unscoped stopped");
    }
  }

  /** The application's own module. */
  static class OrdersModule extends AbstractModule {
    @Override
    protected void configure() {
      bind(Orders.class);
      bind(Job.class);
      bind(Journal.class).to(FileJournal.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    Pool pool() {
      return new Pool();
    }
  }

  /** Starts, says so, and waits for SIGTERM. */
  public static void main(String[] arguments) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    Injector injector =
        Guice.createInjector(Stage.PRODUCTION, new ShutdownModule(shutdown), new OrdersModule());
    shutdown.started();
    say(injector.getInstance(Job.class).getClass().getSimpleName() + " made");
    say("ready");
    Thread running = new Thread(GuiceExample::serve, "server");
    running.start();
  }

  private static void serve() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(String what) {
    System.out.println(what);
  }
}
