package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With ElasticMQ in place of SQS. */
@Tag("all")
class SqsTest extends BacklogContract {
  SqsTest() throws Exception {
    super(SqsService.class, Backlogs.sqs());
  }

  /** The signal comes with a batch of acknowledgements that is not full, after one that was. */
  private Service afterABatch(String... more) throws Exception {
    List<String> settings =
        List.of(
            "--piece.time=200ms",
            "--lastcall.grace-period=40s",
            "--lastcall.propagation-delay=1s",
            "--lastcall.clean-exit-code=0");
    Service service =
        Service.start(
            SqsBatches.class,
            Stream.of(settings, prepare(), List.of(more))
                .flatMap(List::stream)
                .toArray(String[]::new));
    service.awaitStarted();
    service.awaitLines("done ", SqsBatches.BATCH + 3);
    service.terminate();
    return service;
  }

  @Test
  void sigterm_theLastBatchIsSent() throws Exception {
    try (Service service = afterABatch("--acknowledged.after=10s")) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(1, service.count("Shutdown clean"), service::output);
      assertLeft(service.said("done"));
    }
  }

  /** The row without: Spring Cloud AWS 4.0 never sends it. */
  @Test
  void sigterm_theLastBatchWithoutItsTaker_comesAgain() throws Exception {
    try (Service service =
        afterABatch("--acknowledged.after=10s", "--lastcall.work.enabled=false")) {
      service.awaitExit();
      assertTrue(backlog().hidden() > 0, service::output);
    }
  }

  @Test
  void sigterm_aBatchThatIsNotSent_endsIncompleteAndSaysSo() throws Exception {
    try (Service service = afterABatch("--acknowledged.after=1h", "--acknowledged.stop=1s")) {
      assertEquals(80, service.awaitExit(), service::output);
      assertTrue(service.count("SQS has no acknowledgement of ") > 0, service::output);
    }
  }
}
