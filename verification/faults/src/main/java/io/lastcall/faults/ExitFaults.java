package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;

/** Ends of the process that the application has begun itself, and processes without a server. */
final class ExitFaults {
  private static final String NOT_WAITED_FOR = "a System.exit does not wait for routers";

  private ExitFaults() {}

  static List<Fault> all() {
    return List.of(
        exits(TOMCAT, "System.exit in a request", Right.code(Right.EXITED_BY_APPLICATION))
            .requests(Fault.Requests.IN_FLIGHT)
            .trigger(run -> run.ask("/do?act=exit")),
        exits(
                NETTY,
                "System.exit on an event loop",
                Right.code(Right.EXITED_BY_APPLICATION)
                    .mayLose("those of the event loop that never returns"))
            .requests(Fault.Requests.IN_FLIGHT)
            .trigger(run -> run.ask("/do?act=exit")),
        exits(
                TOMCAT,
                "System.exit and SIGTERM at once",
                Right.code(Right.EXITED_BY_APPLICATION, Right.CLEAN).mayLose(NOT_WAITED_FOR))
            .trigger(
                run -> {
                  run.ask("/do?act=exit");
                  run.terminate();
                }),
        exits(
                TOMCAT,
                "System.exit in a request during the shutdown",
                Right.code(Right.EXITED_BY_APPLICATION, Right.INCOMPLETE, Right.CLEAN))
            .after(
                run -> {
                  run.awaitMillisAfterTrigger(500);
                  run.ask("/do?act=exit");
                }),
        exits(
                TOMCAT,
                "Runtime.halt in a request",
                Right.code(Right.HALTED_BY_APPLICATION)
                    .mayLose("the application ends the process at once")
                    .notSurvived("no code runs after Runtime.halt"))
            .trigger(run -> run.ask("/do?act=halt")),
        exits(NONE, "main returns, and no thread is left", Right.clean())
            .breaks("main=end")
            .trigger(run -> {}),
        exits(NONE, "a job calls System.exit", Right.code(Right.EXITED_BY_APPLICATION))
            .breaks("main=exit")
            .trigger(run -> {}),
        exits(NONE, "a job stops at its checkpoint", Right.code(Right.HANDED_BACK))
            .breaks("work=job")
            .readyAt("job begun"),
        exits(NONE, "a process without work", Right.code(Right.STOPPED)));
  }

  private static Fault exits(Fault.Server server, String name, Right right) {
    return Fault.of("Exits, and no server", server, name, right);
  }
}
