package io.lastcall.examples.work.jms;

import io.lastcall.examples.work.Backlog;
import io.lastcall.testing.FreePort;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** Artemis in this JVM, on a port of the kernel's. */
public final class ArtemisBacklog implements Backlog {
  private static final int LAST_MILLIS = 300;

  private final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
  private final String url;

  public ArtemisBacklog() throws Exception {
    url = "tcp://127.0.0.1:" + FreePort.next();
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration.setPersistenceEnabled(false);
    configuration.setSecurityEnabled(false);
    configuration.addAcceptorConfiguration("tcp", url);
    broker.setConfiguration(configuration);
    broker.start();
  }

  @Override
  public List<String> arguments() {
    return List.of(url);
  }

  @Override
  public void add(List<String> orders) {
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        JMSContext context = factory.createContext()) {
      Queue queue = context.createQueue("orders");
      orders.forEach(order -> context.createProducer().send(queue, order));
    }
  }

  @Override
  public List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        JMSContext context = factory.createContext();
        JMSConsumer consumer = context.createConsumer(context.createQueue("orders"))) {
      String order = consumer.receiveBody(String.class, LAST_MILLIS);
      while (order != null) {
        taken.add(order);
        order = consumer.receiveBody(String.class, LAST_MILLIS);
      }
    }
    return taken;
  }

  @Override
  public void close() {
    try {
      broker.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
