package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@Timeout(60)
class VirtualThreadsTest {
  private static List<String> frames(LiveThread thread) {
    return thread.stack().stream()
        .map(each -> each.getClassName() + "." + each.getMethodName())
        .toList();
  }

  private static void assertRead(String dump) {
    List<LiveThread> found = VirtualThreads.read(dump.lines().toList());
    assertEquals(List.of("virtual thread 22", "orders 1"), names(found));
    assertEquals(
        List.of("java.lang.Thread.sleep", "app.Orders.take", "java.lang.VirtualThread.run"),
        frames(found.get(0)));
    assertEquals(List.of("app.Orders$Loop.take"), frames(found.get(1)));
  }

  private static List<String> names(List<LiveThread> threads) {
    return threads.stream().map(LiveThread::name).toList();
  }

  @Test
  void read_ofJava21() {
    assertRead(
        """
        1234
        2026-01-01T10:15:28.782306550Z
        21.0.5+11-LTS

        #1 "main"
              java.base/java.lang.Thread.sleep0(Native Method)
              app.Application.main(Application.java:13)

        #22 "" virtual
              java.base/java.lang.Thread.sleep(Thread.java:540)
              app.Orders.take(Orders.java:17)
              java.base/java.lang.VirtualThread.run(VirtualThread.java:309)

        #24 "orders 1" virtual
              app//app.Orders$Loop.take(Orders.java:17)
        """);
  }

  @Test
  void read_ofJava25() {
    assertRead(
        """
        1234
        2026-01-01T10:15:28.782306550Z
        25.0.3+9-LTS

        #3 "main" RUNNABLE 2026-01-01T10:15:28.782440057Z
            at app.Application.main(Application.java:13)

        #22 "" virtual TIMED_WAITING 2026-01-01T10:15:28.783079914Z
            at java.base/java.lang.Thread.sleep(Thread.java:540)
            - locked <java.lang.Object@2328c243>
            at app.Orders.take(Orders.java:17)
            at java.base/java.lang.VirtualThread.run(VirtualThread.java:460)

        #24 "orders 1" virtual RUNNABLE 2026-01-01T10:15:28.783079914Z
            at app.Orders$Loop.take(Orders.java:17)
        """);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void all_aVirtualThreadWaits_isAmongThem() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Runnable body = () -> await(waiting, end);
    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
    waiting.await();
    String own = VirtualThreadsTest.class.getName() + ".await";
    assertTrue(LiveThread.all().stream().anyMatch(each -> frames(each).contains(own)));
    end.countDown();
  }

  private static void await(CountDownLatch waiting, CountDownLatch end) {
    waiting.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
