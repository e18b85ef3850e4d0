package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;

/** Requests that never end, or end badly. The fault's own requests are not among those counted. */
final class HandlerFaults {
  private static final int MANY = 5_000;

  private HandlerFaults() {}

  static List<Fault> all() {
    return List.of(
        tomcat("a request hangs and ignores its interrupt", Right.incomplete()).before(act("hang")),
        tomcat("a request loops", Right.incomplete()).before(act("loop")),
        tomcat("two requests wait for each other", Right.incomplete()).before(HandlerFaults::both),
        tomcat("an asynchronous request is never completed", Right.incomplete())
            .before(run -> run.ask("/async", "serving", 1))
            .requests(Fault.Requests.NONE),
        tomcat("a request throws", Right.clean()).after(during("throw")),
        tomcat("a request overflows its stack", Right.clean()).after(during("overflow")),
        tomcat("a request throws OutOfMemoryError", Right.clean()).after(during("throw-oom")),
        tomcat("a request leaves a thread that is no daemon", Right.clean())
            .before(act("leave-thread")),
        tomcat("a request interrupts every thread", Right.code(Right.CLEAN, Right.INCOMPLETE))
            .before(act("interrupt-all"))
            .requests(Fault.Requests.NONE),
        tomcat("a request takes almost all of DRAIN", Right.clean())
            .before(run -> run.ask("/work?ms=5000", "serving", 1))
            .requests(Fault.Requests.NONE),
        netty("a request throws", Right.clean()).after(during("throw")),
        netty("a request never answered", Right.incomplete())
            .before(run -> run.ask("/async", "serving", 1))
            .requests(Fault.Requests.NONE),
        netty("5,000 requests are never answered", Right.incomplete())
            .before(HandlerFaults::many)
            .requests(Fault.Requests.NONE),
        blockedLoop());
  }

  private static Fault blockedLoop() {
    return netty(
            "a request blocks one of two event loops",
            Right.code(Right.INCOMPLETE, Right.HALTED)
                .mayLose("all connections of an event loop wait for the one that blocks it"))
        .before(act("hang"))
        .requests(Fault.Requests.NONE);
  }

  private static Fault tomcat(String name, Right right) {
    return Fault.of("Requests", TOMCAT, name, right);
  }

  private static Fault netty(String name, Right right) {
    return Fault.of("Requests", NETTY, name, right);
  }

  private static Fault.Part act(String name) {
    return run -> run.ask("/do?act=" + name, "act " + name, 1);
  }

  /** Once routers still send. */
  private static Fault.Part during(String name) {
    return run -> {
      run.awaitMillisAfterTrigger(500);
      run.ask("/do?act=" + name);
    };
  }

  private static void both(Run run) throws Exception {
    run.ask("/do?act=deadlock", "act deadlock", 1);
    run.ask("/do?act=deadlock", "act deadlock", 2);
  }

  private static void many(Run run) throws Exception {
    for (int request = 0; request < MANY; request++) {
      run.ask("/async");
    }
    run.jvm().awaitSaid("serving", MANY);
  }
}
