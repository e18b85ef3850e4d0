package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.io.FillInterest;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.Test;

class ReadLockTest {
  private final List<String> calls = new ArrayList<>();

  private final FillInterest interest =
      new FillInterest() {
        @Override
        protected void needsFillInterest() {}
      };

  private final ReadLock turn = new ReadLock(interest, this::hold);

  private final Callback reader =
      new Callback() {
        @Override
        public void succeeded() {
          calls.add("read");
        }

        @Override
        public InvocationType getInvocationType() {
          return InvocationType.EITHER;
        }
      };

  /** Somebody else asks meanwhile, the first time. */
  private void hold(Callback taken) {
    calls.add("held");
    if (calls.size() == 1) {
      turn.take();
    }
    interest.register(taken);
  }

  @Test
  void take_askedForMeanwhile_isTakenOnceMore() {
    interest.register(turn.of(reader));
    turn.take();
    assertEquals(List.of("held", "held"), calls);
  }

  @Test
  void fillable_onTheThreadThatHasTaken_isTheReaders() {
    interest.register(turn.of(reader));
    turn.take();
    calls.clear();
    interest.fillable();
    assertEquals(List.of("read"), calls);
  }

  /** Else Jetty would find a thread for what needs none. */
  @Test
  void of_readerThatDoesNotBlock_saysSo() {
    interest.register(turn.of(reader));
    assertEquals(InvocationType.EITHER, interest.getCallbackInvocationType());
  }
}
