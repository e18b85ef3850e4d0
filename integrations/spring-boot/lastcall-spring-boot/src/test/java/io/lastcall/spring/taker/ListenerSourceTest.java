package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

class ListenerSourceTest {
  /** Spring's own {@code stop(callback)} never calls back then. */
  @Test
  void stopTaking_registryWithoutContainers_isFinishedAtOnce() {
    List<Boolean> told = new ArrayList<>();
    ListenerSource source = new ListenerSource(new JmsListenerEndpointRegistry(), told::add);
    assertFalse(source.finished().toCompletableFuture().isDone());
    source.stopTaking();
    assertTrue(source.finished().toCompletableFuture().isDone());
    assertTrue(told.isEmpty());
  }
}
