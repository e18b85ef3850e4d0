package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.inflight.GateControl;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol.ExchangeCounter;
import io.lastcall.time.Ticker;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.coyote.Processor;
import org.apache.coyote.Request;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExchangeCounterTest {
  private final AtomicInteger told = new AtomicInteger();
  private final Request request = new Request();
  private final ExchangeCounter counter =
      new ExchangeCounter(new GateControl(Ticker.system()).gate().accepted(null));

  @BeforeEach
  void listen() {
    counter.listen(told::incrementAndGet);
  }

  @Test
  void longLived_twiceThenEnded_countsOnceUntilThen() {
    ExchangeCounter.Exchange exchange = begin();
    exchange.becameLongLived();
    exchange.becameLongLived();
    assertEquals(1, counter.longLived());
    assertEquals(1, told.get());
    end();
    assertEquals(0, counter.longLived());
    assertEquals(0, counter.open());
  }

  /** The client has reset the stream while the application marked it. */
  @Test
  void longLived_afterItsEnd_isNotCounted() {
    ExchangeCounter.Exchange exchange = begin();
    end();
    exchange.becameLongLived();
    assertEquals(0, counter.longLived());
    assertEquals(1, told.get(), "of its end alone");
  }

  /** Tomcat uses its requests again. */
  @Test
  void longLived_nextExchangeOfTheSameRequest_isAnother() {
    begin().becameLongLived();
    end();
    begin();
    assertEquals(0, counter.longLived());
    assertEquals(1, counter.open());
  }

  private ExchangeCounter.Exchange begin() {
    counter.begin(request);
    return (ExchangeCounter.Exchange) request.getAttribute(LastcallProtocol.ATTRIBUTE);
  }

  /** Tomcat has recycled the request by then. */
  private void end() {
    request.recycle();
    ExchangeCounter.done(stub(Processor.class, request));
  }

  private static <T> T stub(Class<T> type, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> answer));
  }
}
