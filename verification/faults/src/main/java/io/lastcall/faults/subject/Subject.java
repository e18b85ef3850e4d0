package io.lastcall.faults.subject;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * The main program of the process that is broken. System properties: {@code faults.control}, the
 * port to report to; {@code faults.server}: {@code TOMCAT}, {@code NETTY} or {@code NONE}; {@code
 * faults.broken}, which act stands where; {@code faults.started=never}, so that start-up has no
 * end; {@code lastcall.*}.
 */
public final class Subject {
  private final Control control;
  private final Places places;
  private final CountDownLatch started = new CountDownLatch(1);
  private final boolean awaitsStart = Boolean.getBoolean("faults.await-started");

  private Subject(Control control, Places places) {
    this.control = control;
    this.places = places;
  }

  public static void main(String[] arguments) throws Exception {
    Control control = Control.connect(Integer.getInteger("faults.control"));
    control.say("main");
    new Subject(control, Places.parse(System.getProperty("faults.broken", ""))).run();
  }

  private void run() throws Exception {
    BrokenOutput output = new BrokenOutput(places, control);
    output.replaceErr();
    if (places.at("exit").contains("refused")) {
      RefusedExit.install();
    }
    takeSignals();
    GracefulShutdownBuilder builder = builder();
    control.say("installing");
    GracefulShutdown shutdown = builder.install();
    addHooks();
    control.say("installed");
    new WorkSubject(shutdown, control).begin(places.at("work"));
    places.run("start");
    started.countDown();
    Server.start(System.getProperty("faults.server"), shutdown, control);
    if (awaitsStart && !System.getProperty("faults.started", "").equals("never")) {
      shutdown.started();
    }
    output.breakIt();
    control.say("ready");
    afterwards(shutdown);
  }

  private void addHooks() {
    for (String name : places.at("hook")) {
      Runnable act = name.equals("await-start") ? this::awaitStart : Places.act(name)::run;
      Runtime.getRuntime().addShutdownHook(new Thread(act, "somebody's hook"));
    }
  }

  /** As a container does whose start and stop exclude each other. */
  private void awaitStart() {
    try {
      started.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private GracefulShutdownBuilder builder() {
    GracefulShutdownBuilder builder = GracefulShutdown.builder();
    if (awaitsStart) {
      builder.awaitStarted();
    }
    for (Phase phase : Phase.values()) {
      for (String name : places.at("step:" + phase)) {
        builder.step(phase, name + "-step", context -> said(name));
      }
    }
    for (String count : places.at("steps")) {
      for (int step = 0; step < Integer.parseInt(count); step++) {
        builder.step(Phase.DRAIN, "step " + step, context -> {});
      }
    }
    places.at("stage").forEach(name -> builder.components(new Stage(name)));
    places.at("listener").forEach(name -> builder.listener(new BrokenListener(() -> said(name))));
    return builder;
  }

  /** Says what it does, and does it. */
  private void said(String name) {
    control.say("act " + name);
    Places.act(name).run();
  }

  /** What main does once the service is up. */
  private void afterwards(GracefulShutdown shutdown) throws InterruptedException {
    List<String> names = places.at("main");
    if (names.contains("end")) {
      return;
    }
    if (names.contains("begin")) {
      beginOften(shutdown);
    } else {
      places.run("main");
    }
    new CountDownLatch(1).await();
  }

  /** From eight threads at once, and once more. */
  private void beginOften(GracefulShutdown shutdown) throws InterruptedException {
    CountDownLatch together = new CountDownLatch(1);
    for (int thread = 0; thread < 8; thread++) {
      Act.daemon(
          () -> {
            try {
              together.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            shutdown.begin("begun by hand");
          },
          "beginner " + thread);
    }
    together.countDown();
    shutdown.begin("begun once more");
    control.say("begun");
  }

  /** By reflection: javac warns of every direct use of sun.misc. */
  private void takeSignals() throws ReflectiveOperationException {
    for (String name : places.at("signal")) {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              Subject.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (self, method, parameters) -> act(name, method));
      Object term = type.getConstructor(String.class).newInstance("TERM");
      type.getMethod("handle", type, handlerType).invoke(null, term, handler);
    }
  }

  private static Object act(String name, Method method) {
    if (method.getName().equals("handle")) {
      Places.act(name).run();
    }
    return method.getName();
  }

  /** A component whose step returns a stage. */
  static final class Stage {
    private final String how;

    Stage(String how) {
      this.how = how;
    }

    @OnShutdown(phase = Phase.DRAIN)
    public CompletionStage<Void> stop() {
      return how.equals("never")
          ? new CompletableFuture<>()
          : CompletableFuture.failedFuture(new IllegalStateException("broken"));
    }
  }
}
