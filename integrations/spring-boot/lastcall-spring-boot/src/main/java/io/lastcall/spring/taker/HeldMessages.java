package io.lastcall.spring.taker;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.spring.internals.SpringInternals;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.aggregator.AbstractCorrelatingMessageHandler;
import org.springframework.integration.handler.DelayHandler;
import org.springframework.integration.store.SimpleMessageStore;

/**
 * Messages that a handler of Spring Integration holds in memory: an aggregator until its group is
 * complete, a delayer until its time has come. Nothing says that this comes before the end, so it
 * is not waited for; what is left is lost, and the end is not clean.
 */
final class HeldMessages {
  private HeldMessages() {}

  static void lookFor(ConfigurableApplicationContext context, Takers takers) {
    context
        .getBeansOfType(DelayHandler.class, false, false)
        .forEach((name, delayer) -> add(name, delayer, takers));
    context
        .getBeansOfType(AbstractCorrelatingMessageHandler.class, false, false)
        .forEach((name, aggregator) -> add(name, aggregator, takers));
  }

  private static void add(String name, Object handler, Takers takers) {
    takers.step(
        Step.of(
            Phase.CLOSE_CONNECTIONS,
            "messages that " + name + " holds",
            context -> refuse(handler)));
  }

  /**
   * Returns if a handler holds none.
   *
   * @throws IllegalStateException if it does
   */
  static void refuse(Object handler) {
    int held = held(handler);
    if (held > 0) {
      throw new IllegalStateException("in memory alone, and lost: " + held);
    }
  }

  /** Those of a database are not lost: another process can take them. */
  private static int held(Object handler) {
    if (!SpringInternals.HELD_MESSAGES.isIn(handler)
        || !(SpringInternals.HELD_MESSAGES.of(handler) instanceof SimpleMessageStore store)) {
      return 0;
    }
    return handler instanceof DelayHandler delayer
        ? delayer.getDelayedMessageCount()
        : store.getMessageCountForAllMessageGroups();
  }
}
