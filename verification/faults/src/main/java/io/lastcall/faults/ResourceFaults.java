package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;

/** What runs out: heap, metaspace, threads, descriptors, processors. */
final class ResourceFaults {
  private static final String NO_HEAP = "requests need heap";
  private static final Right IN_TIME =
      Right.code(Right.INCOMPLETE, Right.HALTED)
          .noRecord("records need heap; what was written before stays");

  private ResourceFaults() {}

  static List<Fault> all() {
    return List.of(
        lacks(NONE, "the heap is filled during the shutdown", IN_TIME)
            .breaks("step:KEEP_SERVING=fill-heap"),
        lacks(NETTY, "the heap is filled during the shutdown", IN_TIME.mayLose(NO_HEAP))
            .breaks("step:KEEP_SERVING=fill-heap"),
        lacks(TOMCAT, "a request fills the heap before the shutdown", IN_TIME.mayLose(NO_HEAP))
            .requests(Fault.Requests.NONE)
            .before(run -> run.ask("/do?act=fill-heap", "act fill-heap", 1)),
        lacks(
                TOMCAT,
                "the same with -XX:+ExitOnOutOfMemoryError",
                Right.code(Right.OUT_OF_MEMORY)
                    .mayLose("the JVM ends at once, as it was told to")
                    .notSurvived("no code runs after it"))
            .jvm("-XX:+ExitOnOutOfMemoryError")
            .breaks("step:KEEP_SERVING=fill-heap"),
        lacks(
                NETTY,
                "metaspace is full",
                Right.code(Right.CLEAN, Right.INCOMPLETE, Right.HALTED)
                    .mayLose("classes cannot be loaded")
                    .noRecord("nor can those that write the records"))
            .jvm("-XX:MaxMetaspaceSize=40m")
            .breaks("step:KEEP_SERVING=fill-metaspace"),
        lacks(
                NONE,
                "no thread can be started",
                Right.code(Right.STOPPED, Right.INCOMPLETE, Right.HALTED))
            .jvm("-Xss64m", "-XX:CompressedClassSpaceSize=32m")
            .shell("ulimit -v 6000000")
            .breaks("step:KEEP_SERVING=take-threads"),
        lacks(
                NONE,
                "no thread can be started from before the signal on",
                Right.code(Right.STOPPED, Right.KILLED)
                    .notSurvived("HotSpot starts a thread for each signal"))
            .jvm("-Xss64m", "-XX:CompressedClassSpaceSize=32m")
            .shell("ulimit -v 6000000")
            .breaks("start=take-threads"),
        lacks(TOMCAT, "a request has taken all file descriptors", Right.clean())
            .shell("ulimit -n 200")
            .requests(Fault.Requests.IN_FLIGHT)
            .after(
                run -> {
                  run.awaitMillisAfterTrigger(300);
                  run.ask("/do?act=take-files", "act take-files", 1);
                  run.awaitMillisAfterTrigger(600);
                  run.ask("/fast");
                }),
        files(TOMCAT),
        files(NETTY),
        lacks(TOMCAT, "one processor, a heap of 24 MB", Right.clean())
            .jvm("-Xmx24m", "-XX:ActiveProcessorCount=1")
            .shell("taskset -p -c 0 $$ > /dev/null"),
        lacks(NETTY, "one processor, a heap of 24 MB", Right.clean())
            .jvm("-Xmx24m", "-XX:ActiveProcessorCount=1")
            .shell("taskset -p -c 0 $$ > /dev/null"),
        lacks(TOMCAT, "the folder for temporary files is gone", Right.clean())
            .shell("mkdir $F/tmp")
            .with("java.io.tmpdir", "$F/tmp")
            .before(run -> run.delete("tmp")),
        lacks(NETTY, "four threads spin on one processor", Right.clean())
            .jvm("-XX:ActiveProcessorCount=1")
            .shell("taskset -p -c 0 $$ > /dev/null")
            .breaks("step:KEEP_SERVING=spin"),
        lacks(
                NETTY,
                "64 threads spin on one processor",
                Right.code(Right.CLEAN, Right.INCOMPLETE, Right.HALTED, Right.KILLED)
                    .mayLose("there is no CPU to serve them with")
                    .notSurvived("a halt waits until each thread has come to a safepoint"))
            .jvm("-XX:ActiveProcessorCount=1")
            .with("faults.spinning", "64")
            .shell("taskset -p -c 0 $$ > /dev/null")
            .breaks("step:KEEP_SERVING=spin"));
  }

  /** Idle connections have taken them all, so that new ones wait in the listener's queue. */
  private static Fault files(Fault.Server server) {
    return lacks(server, "idle connections have taken all file descriptors", Right.clean())
        .shell("ulimit -n 200")
        .requests(Fault.Requests.NONE)
        .before(
            run -> {
              run.mustAnswer(run.port(), "/fast");
              for (int connection = 0; connection < 250; connection++) {
                run.openIdle(run.port());
              }
            })
        .after(run -> run.mustAnswer(run.port(), "/fast"));
  }

  private static Fault lacks(Fault.Server server, String name, Right right) {
    return Fault.of("Resources", server, name, right);
  }
}
