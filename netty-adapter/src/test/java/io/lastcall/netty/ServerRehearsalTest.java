package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class ServerRehearsalTest {
  @Test
  @SuppressWarnings("deprecation") // the one name that Netty 4.1 and 4.2 share
  void run_itsConnectionIsNeverEnded_givesUp() throws Exception {
    EventLoopGroup loops = new NioEventLoopGroup(2);
    Iterator<EventExecutor> inTurn = loops.iterator();
    inTurn.next(); // the listener's
    CountDownLatch release = new CountDownLatch(1);
    inTurn.next().submit(() -> awaitRelease(release));
    Deadline deadline = Deadline.after(Duration.ofSeconds(2), Ticker.system());

    assertThrows(TimeoutException.class, () -> ServerRehearsal.run(loops, deadline));

    release.countDown();
    loops.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS).sync();
  }

  private static boolean awaitRelease(CountDownLatch release) throws InterruptedException {
    release.await();
    return true;
  }
}
