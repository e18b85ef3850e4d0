package io.lastcall.examples.work.sqs;

import io.lastcall.examples.work.ConsumerContract;

class SqsOrdersTest extends ConsumerContract<ElasticMqBacklog> {
  SqsOrdersTest() {
    super(new ElasticMqBacklog(), SqsOrders.class);
  }
}
