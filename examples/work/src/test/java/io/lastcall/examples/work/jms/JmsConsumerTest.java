package io.lastcall.examples.work.jms;

import io.lastcall.examples.work.ConsumerContract;

class JmsConsumerTest extends ConsumerContract<ArtemisBacklog> {
  JmsConsumerTest() throws Exception {
    super(new ArtemisBacklog(), JmsConsumer.class);
  }
}
