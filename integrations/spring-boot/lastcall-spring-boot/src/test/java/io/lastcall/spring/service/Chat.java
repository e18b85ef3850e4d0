package io.lastcall.spring.service;

import io.lastcall.servlet.LongLived;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Answers in tokens, as a language model does: the second comes once a line has come. */
@RestController
final class Chat {
  @PostMapping("/chat")
  SseEmitter chat() {
    return answer(new SseEmitter(0L));
  }

  /** Its type is known before it is handled. */
  @PostMapping(path = "/chat-produced", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  ResponseBodyEmitter chatProduced() {
    return answer(new SseEmitter(0L));
  }

  /** In answer to GET: what ends by itself must say so. */
  @GetMapping("/chat-marked")
  SseEmitter chatMarked(HttpServletRequest request) {
    LongLived.markFinite(request);
    return answer(new SseEmitter(0L));
  }

  private static SseEmitter answer(SseEmitter emitter) {
    new Thread(() -> write(emitter), "chat").start();
    return emitter;
  }

  private static void write(SseEmitter emitter) {
    try {
      emitter.send("one");
      System.out.println("chat began");
      int unused = System.in.read();
      emitter.send("two");
      emitter.send("[DONE]");
      emitter.complete();
    } catch (IOException cut) {
      System.out.println("chat was cut");
      emitter.completeWithError(cut);
    }
  }
}
