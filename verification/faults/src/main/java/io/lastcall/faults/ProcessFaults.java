package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;

/** What happens to the process as a whole: stopped, PID 1, the clock. */
final class ProcessFaults {
  private static final String STOPPED = "a process that is stopped serves nothing";

  private ProcessFaults() {}

  static List<Fault> all() {
    return List.of(
        process(NETTY, "stopped for 2 s in KEEP_SERVING (SIGSTOP)", Right.clean())
            .after(stop(200, 2_200)),
        process(
                TOMCAT,
                "stopped from KEEP_SERVING until after the deadline",
                Right.code(Right.INCOMPLETE, Right.HALTED)
                    .mayLose(STOPPED)
                    .noRecord("it is halted as soon as it goes on"))
            .after(stop(200, 9_550)),
        process(
                NETTY,
                "stopped until SIGKILL",
                Right.code(Right.KILLED)
                    .mayLose(STOPPED)
                    .notSurvived("no code of a stopped process runs"))
            .after(stop(200, 12_000)),
        process(NETTY, "PID 1", Right.clean()).asPidOne(),
        process(TOMCAT, "PID 1, 200 SIGTERM", Right.clean())
            .asPidOne()
            .trigger(run -> run.jvm().signal("TERM", 200)),
        process(NETTY, "PID 1, and a hook hangs", Right.halted()).asPidOne().breaks("hook=hang"),
        clock("the clock is set forward by an hour", 3_600),
        clock("the clock is set back by an hour", -3_600));
  }

  private static Fault.Part stop(long from, long to) {
    return run -> {
      run.awaitMillisAfterTrigger(from);
      run.jvm().signal("STOP", 1);
      run.awaitMillisAfterTrigger(to);
      run.jvm().signal("CONT", 1);
    };
  }

  /** By a library in front of the system's, which this process alone sees. */
  private static Fault clock(String name, int seconds) {
    return process(NETTY, name, Right.clean())
        .needs(Fault.Need.C_COMPILER)
        .shell(
            """
            cat > "$F/clock.c" <<'END'
            %sEND
            cc -shared -fPIC -o "$F/clock.so" "$F/clock.c" -ldl
            export LD_PRELOAD="$F/clock.so" CLOCK_STEP=%d CLOCK_STEPPED="$F/stepped"
            """
                .formatted(SteppedClock.SOURCE, seconds))
        .after(
            run -> {
              run.awaitMillisAfterTrigger(1_000);
              run.touch("stepped");
            });
  }

  private static Fault process(Fault.Server server, String name, Right right) {
    return Fault.of("Process", server, name, right);
  }
}
