package io.lastcall.examples.work.nats;

import io.lastcall.examples.work.ConsumerContract;
import java.io.IOException;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
    value = "io.lastcall.examples.work.nats.NatsBacklog#isThere",
    disabledReason = "there is no nats-server here: apt-get install nats-server")
class NatsOrdersTest extends ConsumerContract<NatsBacklog> {
  NatsOrdersTest() throws IOException {
    super(new NatsBacklog(), NatsOrders.class);
  }
}
