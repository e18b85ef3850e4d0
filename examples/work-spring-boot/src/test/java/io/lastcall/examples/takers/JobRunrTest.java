package io.lastcall.examples.takers;

import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("all")
class JobRunrTest extends TakerContract {
  JobRunrTest() {
    super(JobRunrService.class, 1);
  }

  @Override
  List<String> prepare() {
    return List.of(
        "--spring.autoconfigure.exclude=",
        "--camel.springboot.auto-startup=false",
        "--spring.datasource.url=jdbc:h2:mem:jobs",
        "--jobrunr.background-job-server.enabled=true",
        "--jobrunr.background-job-server.worker-count=1",
        "--jobrunr.background-job-server.poll-interval-in-seconds=5");
  }
}
