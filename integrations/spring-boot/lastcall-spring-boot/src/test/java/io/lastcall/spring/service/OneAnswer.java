package io.lastcall.spring.service;

import java.io.IOException;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ReactiveTypeDescriptor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A reactive type of one value, as a {@code Mono} is: it comes once a line has come. */
final class OneAnswer implements Publisher<String> {
  static {
    ReactiveAdapterRegistry.getSharedInstance()
        .registerReactiveType(
            ReactiveTypeDescriptor.singleRequiredValue(OneAnswer.class),
            one -> (OneAnswer) one,
            publisher -> new OneAnswer());
  }

  @Override
  public void subscribe(Subscriber<? super String> subscriber) {
    subscriber.onSubscribe(
        new Subscription() {
          @Override
          public void request(long any) {
            new Thread(() -> answer(subscriber), "answer").start();
          }

          @Override
          public void cancel() {}
        });
  }

  private static void answer(Subscriber<? super String> subscriber) {
    try {
      System.out.println("chat began");
      int unused = System.in.read();
      subscriber.onNext("whole");
      subscriber.onComplete();
    } catch (IOException cut) {
      subscriber.onError(cut);
    }
  }

  @RestController
  static final class Endpoint {
    @GetMapping("/one")
    OneAnswer one() {
      return new OneAnswer();
    }
  }
}
