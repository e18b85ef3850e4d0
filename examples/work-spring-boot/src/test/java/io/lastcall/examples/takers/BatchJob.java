package io.lastcall.examples.takers;

import org.springframework.boot.SpringApplication;

/** {@link BatchService}'s job in a process of its own, as a Kubernetes Job runs it. */
public final class BatchJob {
  private BatchJob() {}

  /** Spring Boot runs the job in a runner; the process ends with its exit code. */
  public static void main(String[] arguments) {
    System.exit(SpringApplication.exit(SpringApplication.run(BatchService.class, arguments)));
  }
}
