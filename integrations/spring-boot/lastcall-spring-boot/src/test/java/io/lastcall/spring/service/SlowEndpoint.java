package io.lastcall.spring.service;

import java.io.IOException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

/** Answers when a line comes, as a heap dump does after a while. */
@Component
@Endpoint(id = "slow")
public final class SlowEndpoint {
  @ReadOperation
  String answer() throws IOException {
    System.out.println("endpoint began");
    int unused = System.in.read();
    return "slow";
  }
}
