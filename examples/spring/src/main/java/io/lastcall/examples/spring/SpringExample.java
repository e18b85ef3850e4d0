package io.lastcall.examples.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A context whose beans have something to do before it is closed. */
public final class SpringExample {
  private SpringExample() {}

  /** A bean that Spring proxies, with a private method and a field, and a close of its own. */
  @SuppressWarnings({"unused", "UnnecessaryLambda"}) // found by reflection
  static class Orders implements AutoCloseable {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    private final AutoCloseable pool = () -> say("pool closed");

    @OnShutdown(phase = Phase.DRAIN)
    private void stopConsumers() {
      say("consumers stopped");
    }

    @Override
    public void close() {
      say("bean destroyed");
    }
  }

  /** Not a singleton: nobody knows how many there are, or whether they still are. */
  static class Job {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      say("prototype stopped");
    }
  }

  /** Starts, says so, and waits for SIGTERM. */
  public static void main(String[] arguments) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    ShutdownBeans.register(shutdown, context);
    context.registerBean(BeanNameAutoProxyCreator.class, SpringExample::proxies);
    context.registerBean("orders", Orders.class);
    context.registerBean("job", Job.class, definition -> definition.setScope("prototype"));
    context.refresh();
    shutdown.started();
    say(context.getBean("job").getClass().getSimpleName() + " made");
    say(context.getBean("orders").getClass().getSimpleName().contains("$$") ? "proxied" : "plain");
    say("ready");
    Thread running = new Thread(SpringExample::serve, "server");
    running.start();
  }

  private static BeanNameAutoProxyCreator proxies() {
    BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
    creator.setBeanNames("orders");
    creator.setProxyTargetClass(true);
    return creator;
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
