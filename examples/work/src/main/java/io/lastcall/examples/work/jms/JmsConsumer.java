package io.lastcall.examples.work.jms;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;

/** Takes orders from a queue, one transaction each. */
public final class JmsConsumer implements WorkSource, Runnable {
  private final Session session;
  private final MessageConsumer consumer;
  private final Thread thread = new Thread(this, "orders");
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;

  JmsConsumer(Connection connection) throws JMSException {
    session = connection.createSession(Session.SESSION_TRANSACTED);
    consumer = session.createConsumer(session.createQueue("orders"));
  }

  /** The only argument is the broker's URL. */
  public static void main(String[] args) throws JMSException {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Connection connection = new ActiveMQConnectionFactory(args[0]).createConnection();
    shutdown.step(Phase.CLOSE_CONNECTIONS, "broker", context -> connection.close());
    JmsConsumer orders = new JmsConsumer(connection);
    shutdown.workSource("orders", orders);
    connection.start();
    orders.thread.start();
  }

  @Override
  public void run() {
    try {
      for (Message next = next(); next != null; next = next()) {
        Orders.process(next.getBody(String.class));
        session.commit();
      }
      finished.complete(null);
    } catch (JMSException | InterruptedException e) {
      finished.completeExceptionally(e);
    }
  }

  private @Nullable Message next() throws JMSException {
    try {
      return taking ? consumer.receive() : null;
    } catch (IllegalStateException closed) {
      if (taking) {
        throw closed;
      }
      return null;
    }
  }

  /** What was prefetched goes back to the queue, and a {@code receive} that waits returns null. */
  @Override
  public void stopTaking() throws JMSException {
    taking = false;
    consumer.close();
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Interrupted first, so that nothing is done that the broker gives to another consumer. */
  @Override
  public boolean handBack() throws JMSException {
    thread.interrupt();
    session.close(); // rolls back
    return true;
  }
}
