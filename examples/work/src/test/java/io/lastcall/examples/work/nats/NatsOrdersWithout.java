package io.lastcall.examples.work.nats;

import io.lastcall.examples.work.Orders;
import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.Message;
import io.nats.client.Nats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** {@link NatsOrders} without the library: a hook closes the connection. */
public final class NatsOrdersWithout {
  private NatsOrdersWithout() {}

  public static void main(String[] args) throws Exception {
    Connection nats = Nats.connect(args[0]);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(nats)));
    ConsumerContext consumer = nats.getConsumerContext(NatsOrders.STREAM, NatsOrders.CONSUMER);
    while (true) {
      Message next = consumer.next(Duration.ofSeconds(1));
      if (next != null) {
        Orders.process(new String(next.getData(), StandardCharsets.UTF_8));
        next.ack();
      }
    }
  }

  private static void close(Connection nats) {
    try {
      nats.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
