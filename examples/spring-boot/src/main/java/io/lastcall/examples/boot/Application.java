package io.lastcall.examples.boot;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** A chat service. Nothing in it speaks of shutdowns: the starter on the class path is enough. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
class Application {
  private final Executor applicationTaskExecutor;

  Application(Executor applicationTaskExecutor) {
    this.applicationTaskExecutor = applicationTaskExecutor;
  }

  public static void main(String[] args) {
    SpringApplication.run(Application.class, args);
  }

  @GetMapping("/model")
  String model() {
    return "echo";
  }

  record Question(String text) {}

  /** Streams the answer, a token at a time. */
  @PostMapping(path = "/chat", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter chat(@RequestBody Question question) {
    SseEmitter answer = new SseEmitter(0L); // no limit: by default it is 30 s
    applicationTaskExecutor.execute(() -> stream(question, answer));
    return answer;
  }

  /** In place of a language model: it repeats the question, a word each 100 ms. */
  private static void stream(Question question, SseEmitter answer) {
    try {
      for (String token : question.text().split(" ", -1)) {
        TimeUnit.MILLISECONDS.sleep(100);
        answer.send(token);
      }
      answer.send("[DONE]");
      answer.complete();
    } catch (Exception e) {
      answer.completeWithError(e);
    }
  }
}
