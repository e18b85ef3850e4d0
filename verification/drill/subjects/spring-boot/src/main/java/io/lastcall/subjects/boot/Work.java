package io.lastcall.subjects.boot;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** What the service does. */
@RestController
class Work {
  @GetMapping(path = "/fast", produces = MediaType.TEXT_PLAIN_VALUE)
  String fast() {
    return "fast\n";
  }

  /** 1,000 bytes after so many milliseconds. */
  @GetMapping("/work")
  byte[] work(@RequestParam(defaultValue = "0") long ms) {
    pause(ms);
    return bytes(1000);
  }

  /** The same off the request's thread. */
  @GetMapping(path = "/work", params = "async=true")
  CompletableFuture<byte[]> workLater(@RequestParam(defaultValue = "0") long ms) {
    return CompletableFuture.supplyAsync(
        () -> bytes(1000), CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS));
  }

  /** Pieces of 100 bytes, one every 100 ms. */
  @GetMapping("/stream")
  void stream(@RequestParam(defaultValue = "0") long ms, HttpServletResponse response)
      throws IOException {
    response.setContentType(MediaType.TEXT_PLAIN_VALUE);
    for (long piece = 0; piece < ms / 100; piece++) {
      pause(100);
      response.getOutputStream().write(bytes(100));
      response.flushBuffer();
    }
  }

  /** The same as events, off the request's thread, as a language model answers. */
  @PostMapping("/stream")
  SseEmitter events(@RequestParam(defaultValue = "0") long ms) {
    SseEmitter emitter = new SseEmitter(0L);
    send(emitter, ms / 100);
    return emitter;
  }

  private static void send(SseEmitter emitter, long left) {
    if (left <= 0) {
      emitter.complete();
      return;
    }
    CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              try {
                emitter.send("x".repeat(93));
                send(emitter, left - 1);
              } catch (IOException gone) {
                emitter.completeWithError(gone);
              }
            });
  }

  /** How many bytes it was. */
  @PostMapping(path = "/upload", produces = MediaType.TEXT_PLAIN_VALUE)
  String upload(HttpServletRequest request) throws IOException {
    return Long.toString(request.getInputStream().transferTo(OutputStream.nullOutputStream()));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    return bytes;
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
