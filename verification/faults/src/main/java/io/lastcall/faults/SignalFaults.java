package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;

/** Signals: many, others, too early; and what begins a shutdown in their place. */
final class SignalFaults {
  private static final int STORM = 500;
  private static final String TWO_AT_ONCE = "after SIGINT nothing waits for routers";

  private SignalFaults() {}

  static List<Fault> all() {
    return List.of(
        signals(TOMCAT, STORM + " SIGTERM at once", Right.clean())
            .trigger(run -> run.jvm().signal("TERM", STORM)),
        signals(NETTY, "SIGTERM again and again until the end", Right.clean())
            .after(SignalFaults::termWhileAlive),
        signals(NETTY, "SIGINT during the shutdown", Right.clean()).after(after(500, "INT", 1)),
        signals(NETTY, "SIGINT twice", Right.code(Right.INTERRUPTED).noRecord("halted by a person"))
            .requests(Fault.Requests.NONE)
            .before(run -> run.ask("/work?ms=5000", "serving", 1))
            .trigger(run -> run.jvm().signal("INT", 1))
            .after(after(500, "INT", 1)),
        signals(NETTY, "SIGHUP", Right.code(Right.HANGUP))
            .requests(Fault.Requests.IN_FLIGHT)
            .trigger(run -> run.jvm().signal("HUP", 1)),
        signals(TOMCAT, "100 SIGQUIT, a thread dump each, while draining", Right.clean())
            .after(after(1_500, "QUIT", 100)),
        signals(NETTY, "SIGTERM under -Xrs", stopped().notSurvived("the JVM sees no signal"))
            .jvm("-Xrs"),
        signals(NONE, "another library has taken SIGTERM, and exits", exited())
            .breaks("signal=exit"),
        signals(
                NONE,
                "begin() from eight threads, and again",
                Right.code(Right.CLEAN, Right.STOPPED))
            .breaks("main=begin")
            .trigger(run -> run.jvm().awaitSaid("begun", 1)),
        signals(NETTY, "begin() and SIGTERM at once", Right.clean()).breaks("main=begin"),
        signals(NONE, "SIGTERM right after install()", Right.code(Right.STOPPED))
            .readyAt("installed"),
        signals(NONE, "SIGTERM again and again from main() on", stopped())
            .readyAt("main")
            .trigger(SignalFaults::termWhileAlive),
        inInstall(0),
        inInstall(30),
        inInstall(100),
        starting("SIGTERM while the service starts", stopped()).breaks("start=slow"),
        starting("SIGTERM while the service starts, and a hook waits for that", stopped())
            .breaks("start=slow")
            .with("faults.slow-seconds", "7")
            .breaks("hook=await-start"),
        starting("SIGTERM while the service starts, and a hook hangs", Right.halted())
            .breaks("start=hang")
            .breaks("hook=hang"));
  }

  private static Fault inInstall(int millis) {
    return signals(NONE, "SIGTERM " + millis + " ms after install() has begun", stopped())
        .readyAt("installing")
        .trigger(
            run -> {
              run.awaitMillisAfterTrigger(millis);
              run.terminate();
            });
  }

  private static Fault starting(String name, Right right) {
    return signals(TOMCAT, name, right)
        .with("faults.await-started", "true")
        .readyAt("installed")
        .requests(Fault.Requests.NONE);
  }

  private static Right stopped() {
    return Right.code(Right.STOPPED).noRecord("nothing was served yet").mayLose(TWO_AT_ONCE);
  }

  private static Right exited() {
    return Right.code(Right.EXITED_BY_APPLICATION);
  }

  private static Fault signals(Fault.Server server, String name, Right right) {
    return Fault.of("Signals", server, name, right);
  }

  private static Fault.Part after(long millis, String name, int times) {
    return run -> {
      run.awaitMillisAfterTrigger(millis);
      run.jvm().signal(name, times);
    };
  }

  private static void termWhileAlive(Run run) throws Exception {
    while (run.isAlive()) {
      run.jvm().signal("TERM", 5);
    }
  }
}
