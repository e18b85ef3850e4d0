package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What was begun and might be cut, refused, dropped or lost: CLEAN only if nothing was. */
final class CleanFaults {
  private static final String SECONDS_3 = "/stream?ms=3000";
  private static final String SECONDS_20 = "/stream?ms=20000";
  private static final String PROBES_ONLY = "A minute has passed since install\\(\\)";

  private CleanFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    for (Fault.Server server : List.of(TOMCAT, NETTY)) {
      faults.addAll(streams(server));
    }
    faults.addAll(work());
    faults.addAll(wiring());
    return faults;
  }

  private static List<Fault> streams(Fault.Server server) {
    return List.of(
        clean(server, "a finite event stream in answer to POST is in flight", Right.clean())
            .before(streams("POST", SECONDS_3, "data: [DONE]"))
            .tells("abandoned 0"),
        clean(
                server,
                "a finite event stream in answer to POST is longer than DRAIN",
                Right.incomplete().mayLose("the rest of the stream, for which there is no time"))
            .before(streams("POST", SECONDS_20, "data: [DONE]"))
            .tells("1 request still running"),
        clean(server, "an event stream in answer to GET has no end", streamEnds(server))
            .before(streams("GET", "/events", ""))
            .tells("ended 1 event stream"),
        clean(server, "the clients of three requests go", Right.clean())
            .requests(Fault.Requests.NONE)
            .before(CleanFaults::askThree)
            .after(CleanFaults::abandonAll)
            .tells(server == TOMCAT ? "3 abandoned by their clients" : "abandoned 0"));
  }

  /** The write of a servlet that blocks throws, and Tomcat cuts what a servlet throws in. */
  private static Right streamEnds(Fault.Server server) {
    return server == TOMCAT
        ? Right.clean().mayLose("the last chunk, since the servlet throws what its write throws")
        : Right.clean();
  }

  private static List<Fault> work() {
    return List.of(
        clean(NONE, "a step of DRAIN submits three tasks, one after the other", Right.clean())
            .with("lastcall.clean-exit-code", "0")
            .breaks("work=flush")
            .tells("work 'mail' finished 3, abandoned 0"),
        clean(TOMCAT, "the task of a late request submits another", Right.clean())
            .requests(Fault.Requests.NONE)
            .before(run -> run.meanwhile(other -> other.mustAnswer(other.port(), "/work?ms=4000")))
            .before(run -> run.jvm().awaitSaid("serving", 1))
            .after(
                run -> {
                  run.awaitMillisAfterTrigger(3_300);
                  run.mustAnswer(run.port(), "/chain");
                })
            .tells("work 'chain' finished 2, abandoned 0"),
        clean(NONE, "three tasks come after DRAIN", Right.incomplete())
            .breaks("work=late")
            .tells("3 of work 'mail' came too late"),
        clean(NONE, "a full pool drops three of five tasks (DiscardPolicy)", Right.incomplete())
            .breaks("work=discard")
            .tells("its DiscardPolicy drops tasks")
            .tells("3 of work 'mail' came too late or had no room"),
        clean(NONE, "a task hangs, and two wait for its thread", Right.incomplete())
            .breaks("work=long")
            .tells("work 'mail' finished 0, abandoned 3")
            .tells("tasks dropped: 2"),
        clean(NETTY, "a delayed task is due in DRAIN", Right.clean())
            .breaks("work=delayed")
            .tells("work 'reminders' finished 1, abandoned 0"),
        beforeStart("a job runs before started()", Right.code(Right.HANDED_BACK))
            .breaks("work=job")
            .readyAt("job begun")
            .tells("handed back, for another process to go on with: export"),
        beforeStart("a source of work takes before started()", Right.code(Right.STOPPED))
            .breaks("work=source")
            .tells("work sources finished: orders"),
        clean(NONE, "a source's finished() throws an Error", Right.incomplete())
            .breaks("work=source-error")
            .tells("work source 'orders' did not finish"));
  }

  private static List<Fault> wiring() {
    return List.of(
        clean(NETTY, "a step of EXIT takes three seconds", Right.clean())
            .with("faults.slow-seconds", "3")
            .breaks("step:EXIT=slow"),
        clean(
                TOMCAT,
                "a SecurityManager refuses System.exit and Runtime.halt",
                Right.code(Right.STOPPED))
            .needs(Fault.Need.SECURITY_MANAGER)
            .jvm("-Djava.security.manager=allow")
            .breaks("exit=refused")
            .tells("The exit has failed"),
        clean(
                TOMCAT,
                "the filter is missing",
                Right.incomplete().mayLose("requests that nothing counts"))
            .with("faults.filter", "missing")
            .tells("had no filter or handler that counts its requests"),
        clean(
                TOMCAT,
                "started() is never called, and only probes come",
                Right.code(Right.STOPPED).noRecord("nothing was served yet"))
            .with("faults.await-started", "true")
            .with("faults.started", "never")
            .requests(Fault.Requests.NONE)
            .before(CleanFaults::probeUntilWarned)
            .tells(PROBES_ONLY));
  }

  private static Fault beforeStart(String name, Right right) {
    return clean(NONE, name, right)
        .with("faults.await-started", "true")
        .with("faults.started", "never");
  }

  private static Fault clean(Fault.Server server, String name, Right right) {
    return Fault.of("Clean means clean", server, name, right);
  }

  /** A client that reads all of a stream, which has to end as HTTP says, with these last words. */
  private static Fault.Part streams(String method, String path, String lastWords) {
    return run -> {
      run.meanwhile(other -> other.mustStream(method, path, lastWords));
      run.jvm().awaitSaid("serving", 1);
    };
  }

  private static void askThree(Run run) throws IOException, InterruptedException {
    for (int client = 1; client <= 3; client++) {
      run.ask("/never", "serving", client);
    }
  }

  /** A moment after the trigger: what has ended before it is in no report. */
  private static void abandonAll(Run run) throws IOException {
    run.awaitMillisAfterTrigger(500);
    run.closeAll();
  }

  private static void probeUntilWarned(Run run) throws Exception {
    while (!run.jvm().hasPrinted(PROBES_ONLY)) {
      run.note("readyz " + Http.get(run.port(), "/readyz").status());
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    }
  }
}
