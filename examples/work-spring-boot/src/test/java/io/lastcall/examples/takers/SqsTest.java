package io.lastcall.examples.takers;

import org.junit.jupiter.api.Tag;

/** With ElasticMQ in place of SQS. */
@Tag("all")
class SqsTest extends BacklogContract {
  SqsTest() throws Exception {
    super(SqsService.class, Backlogs.sqs());
  }
}
