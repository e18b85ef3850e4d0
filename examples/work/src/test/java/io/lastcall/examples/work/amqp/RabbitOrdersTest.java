package io.lastcall.examples.work.amqp;

import io.lastcall.examples.work.ConsumerContract;

class RabbitOrdersTest extends ConsumerContract<QpidBacklog> {
  RabbitOrdersTest() throws Exception {
    super(new QpidBacklog(), RabbitOrders.class);
  }
}
