package io.lastcall.examples.work.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes orders from a queue: each is acknowledged when it is done. */
public final class RabbitOrders extends DefaultConsumer implements WorkSource {
  private static final int PREFETCH = 10;

  private final Channel channel;
  private final ExecutorService pool;
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;

  private RabbitOrders(Channel channel, ExecutorService pool) {
    super(channel);
    this.channel = channel;
    this.pool = pool;
  }

  /** The only argument is the broker's URI. */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(args[0]);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    Connection connection = factory.newConnection(pool);
    shutdown.step(Phase.CLOSE_CONNECTIONS, "broker", context -> connection.close());
    Channel channel = connection.createChannel();
    channel.basicQos(PREFETCH);
    RabbitOrders orders = new RabbitOrders(channel, pool);
    shutdown.workSource("orders", orders);
    channel.basicConsume("orders", false, orders);
  }

  @Override
  public void handleDelivery(
      String consumer, Envelope envelope, BasicProperties properties, byte[] body)
      throws IOException {
    long tag = envelope.getDeliveryTag();
    if (!taking) { // prefetched
      channel.basicReject(tag, true);
      return;
    }
    try {
      Orders.process(new String(body, StandardCharsets.UTF_8));
      channel.basicAck(tag, false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // handed back
    }
  }

  @Override
  public void stopTaking() throws IOException {
    taking = false;
    channel.basicCancel(getConsumerTag());
    Orders.printStopped();
  }

  /** The client calls this after the last delivery. */
  @Override
  public void handleCancelOk(String consumer) {
    finished.complete(null);
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Interrupted first; then the broker gives what is not acknowledged to another consumer. */
  @Override
  public boolean handBack() {
    pool.shutdownNow();
    channel.getConnection().abort();
    return true;
  }
}
