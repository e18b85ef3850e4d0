package io.lastcall.examples.work.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import io.lastcall.examples.work.Orders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** {@link RabbitOrders} without the library: a hook closes the connection. */
public final class RabbitOrdersWithout {
  private RabbitOrdersWithout() {}

  public static void main(String[] args) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(args[0]);
    Connection connection = factory.newConnection();
    Runtime.getRuntime().addShutdownHook(new Thread(connection::abort));
    Channel channel = connection.createChannel();
    channel.basicQos(10);
    channel.basicConsume(
        "orders", false, (consumer, delivery) -> handle(channel, delivery), consumer -> {});
  }

  private static void handle(Channel channel, Delivery delivery) throws IOException {
    try {
      Orders.process(new String(delivery.getBody(), StandardCharsets.UTF_8));
      channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
