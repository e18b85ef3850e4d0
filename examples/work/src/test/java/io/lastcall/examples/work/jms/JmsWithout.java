package io.lastcall.examples.work.jms;

import io.lastcall.examples.work.Orders;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** {@link JmsConsumer} as it is written without the library: a hook closes the connection. */
public final class JmsWithout {
  private JmsWithout() {}

  public static void main(String[] args) throws JMSException, InterruptedException {
    Connection connection = new ActiveMQConnectionFactory(args[0]).createConnection();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(connection)));
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
    connection.start();
    for (Message next = consumer.receive(); next != null; next = consumer.receive()) {
      Orders.process(next.getBody(String.class));
      session.commit();
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
