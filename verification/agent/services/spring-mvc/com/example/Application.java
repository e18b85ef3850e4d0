package com.example;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** An answer at once, one that takes its thread 300 ms, one that comes later, and a stream. */
@SpringBootApplication
@RestController
public class Application {
  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @GetMapping("/fast")
  String fast() {
    return "ok";
  }

  @PostMapping("/work")
  String work(@RequestBody String body) throws InterruptedException {
    Thread.sleep(300);
    return body;
  }

  @GetMapping("/later")
  DeferredResult<String> later() {
    DeferredResult<String> result = new DeferredResult<>();
    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
        .execute(() -> result.setResult("ok"));
    return result;
  }

  @GetMapping("/stream")
  ResponseEntity<StreamingResponseBody> stream() {
    return ResponseEntity.ok()
        .contentType(MediaType.TEXT_PLAIN)
        .body(
            out -> {
              for (int i = 0; i < 10; i++) {
                out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                pause();
              }
            });
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
