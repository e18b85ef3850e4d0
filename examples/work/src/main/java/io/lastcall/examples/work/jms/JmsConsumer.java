package io.lastcall.examples.work.jms;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Takes orders from a queue, one transaction each. */
public final class JmsConsumer implements WorkSource, Runnable {
  private static final long WAIT_MILLIS = 100;

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
      while (taking) {
        Message next = consumer.receive(WAIT_MILLIS);
        if (next != null) {
          Orders.process(next.getBody(String.class));
          session.commit();
        }
      }
      session.close(); // what was prefetched goes back to the queue
      finished.complete(null);
    } catch (JMSException | InterruptedException e) {
      finished.completeExceptionally(e);
    }
  }

  /** Closes nothing: a close that meets a commit can leave a done order on the queue. */
  @Override
  public void stopTaking() {
    taking = false;
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
