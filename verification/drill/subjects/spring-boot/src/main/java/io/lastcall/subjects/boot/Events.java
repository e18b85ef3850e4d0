package io.lastcall.subjects.boot;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * {@code /sse}: an event each 500 ms, until the library tells the stream to end. One thread writes
 * them all, which is enough here: a client that takes nothing in would hold up the others.
 */
@EnableScheduling
@RestController
class Events {
  private final Set<SseEmitter> open = ConcurrentHashMap.newKeySet();

  @GetMapping("/sse")
  SseEmitter events() {
    SseEmitter emitter = new SseEmitter(0L);
    emitter.onCompletion(() -> open.remove(emitter));
    open.add(emitter);
    return emitter;
  }

  @Scheduled(fixedRate = 500)
  void tick() {
    open.removeIf(emitter -> !sent(emitter));
  }

  private static boolean sent(SseEmitter emitter) {
    try {
      emitter.send("tick");
      return true;
    } catch (IOException | IllegalStateException e) {
      // The client is gone, or the stream has ended.
      return false;
    }
  }
}
