package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.taker.LiveThread.Code;
import io.lastcall.spring.taker.LiveThread.Kind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LiveThreadTest {
  /** Frames as {@code class.method}, the innermost first. */
  private static LiveThread thread(Kind kind, String... frames) {
    List<StackTraceElement> stack =
        Stream.of(frames)
            .map(each -> each.split("[.](?=[^.]+$)", 2))
            .map(each -> new StackTraceElement(each[0], each[1], null, -1))
            .toList();
    return new LiveThread("orders", kind, stack);
  }

  private static boolean isPausing(String... frames) {
    return thread(Kind.DAEMON, frames).isPausingDaemon();
  }

  @Test
  void code_ownThread_isTheOutermostThatIsNotTheJdks() {
    assertEquals(
        new Code("app.Orders$Loop", false),
        thread(
                Kind.PLATFORM,
                "java.lang.Thread.sleep",
                "app.Pieces.work",
                "app.Orders$Loop.take",
                "java.lang.Thread.run")
            .code());
  }

  @Test
  void code_taskOfSpringsExecutor_isTheTasks() {
    assertEquals(
        new Code("app.Orders", false),
        thread(
                Kind.PLATFORM,
                "app.Orders.take",
                "org.springframework.aop.interceptor.AsyncExecutionInterceptor.invoke",
                "java.util.concurrent.FutureTask.run",
                "java.lang.Thread.run")
            .code());
  }

  @Test
  void code_countedTask_isTheTasksAndCounted() {
    assertEquals(
        new Code("app.Orders", true),
        thread(
                Kind.PLATFORM,
                "app.Orders.take",
                "io.lastcall.work.CountedExecutor$Task.run",
                "io.lastcall.spring.CountedTasks$Submitted.run",
                "java.lang.Thread.run")
            .code());
  }

  @Test
  void code_mainScheduledAndExit_areNone() {
    assertNull(thread(Kind.PLATFORM, "app.Application.main").code());
    assertNull(
        thread(
                Kind.PLATFORM,
                "app.Orders.poll",
                "org.springframework.scheduling.support.ScheduledMethodRunnable.run",
                "io.lastcall.spring.CountedTasks.run",
                "java.lang.Thread.run")
            .code());
    assertNull(
        thread(Kind.PLATFORM, "java.lang.Shutdown.exit", "app.Orders.end", "java.lang.Thread.run")
            .code());
  }

  @Test
  void daemonThatPausesInItsLoop_pauses() {
    assertTrue(
        isPausing(
            "java.lang.Thread.sleep",
            "java.util.concurrent.TimeUnit.sleep",
            "app.Refresh.pause",
            "app.Refresh.lambda$start$0",
            "java.lang.Thread.run"));
    assertTrue(
        isPausing(
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.LinkedBlockingQueue.take",
            "app.Mails$Sender.run",
            "java.lang.Thread.run"));
  }

  @Test
  void daemonInAPiece_doesNotPause() {
    assertFalse(
        isPausing(
            "java.lang.Thread.sleep", "app.Pieces.work", "app.Loop.run", "java.lang.Thread.run"),
        "it has called another class");
    assertFalse(
        isPausing("sun.nio.ch.Net.poll", "org.driver.Wire.read", "app.Loop.run"),
        "a library reads");
    assertFalse(isPausing("app.Loop.run", "java.lang.Thread.run"), "it computes");
    assertFalse(
        isPausing(
            "jdk.internal.misc.Unsafe.park",
            "java.util.concurrent.CompletableFuture.join",
            "app.Loop.run",
            "java.lang.Thread.run"),
        "it waits for an answer");
  }

  /** Its thread is the pool's: while it has the application's code, that is a task. */
  @Test
  void taskOfADaemonPool_doesNotPause() {
    assertFalse(
        isPausing(
            "java.lang.Thread.sleep",
            "app.Loop.run",
            "java.util.concurrent.ThreadPoolExecutor.runWorker",
            "java.lang.Thread.run"));
    assertFalse(
        isPausing("java.lang.Thread.sleep", "app.Task.run", "java.util.TimerThread.mainLoop"));
  }

  /** Its author had no choice. */
  @Test
  void virtualThread_doesNotPause() {
    assertFalse(
        thread(
                Kind.VIRTUAL,
                "java.lang.Thread.sleep",
                "app.Loop.run",
                "java.lang.VirtualThread.run")
            .isPausingDaemon());
  }
}
