package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.work.JmsApplication;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A service that takes messages, with a broker in this JVM and always some in its queue. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class JmsTest {
  private static final EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
  private static String url = "";

  @BeforeAll
  static void startBroker() throws Exception {
    broker.setConfiguration(
        new ConfigurationImpl()
            .setPersistenceEnabled(false)
            .setSecurityEnabled(false)
            .addAcceptorConfiguration("tcp", "tcp://127.0.0.1:0"));
    broker.start();
    url =
        "tcp://127.0.0.1:"
            + broker.getActiveMQServer().getRemotingService().getAcceptor("tcp").getActualPort();
  }

  @AfterAll
  static void stopBroker() throws Exception {
    broker.stop();
  }

  @Test
  void sigterm_listenerInAMessage_finishesItAndTakesNoOther() throws Exception {
    try (ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(url);
        JMSContext jms = connections.createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      for (String message : List.of("m1", "m2", "m3")) {
        jms.createProducer().send(jms.createQueue("work"), message);
      }
      try (Service service =
          Service.start(
              JmsApplication.class,
              "--test.broker=" + url,
              "--test.seconds=4",
              "--lastcall.grace-period=30s",
              "--lastcall.propagation-delay=1s")) {
        service.awaitLine("begun m1");
        service.port();
        service.terminate();
        assertEquals(0, service.awaitExit(), service::output);
        assertEquals(1, service.count("begun m"), service::output);
        assertEquals(1, service.count("ended m"), service::output);
        assertTrue(
            service.index("DRAIN waits for work source 'org.springframework.jms") > 0,
            service::output);
      }
      assertLeft(jms, List.of("m2", "m3"));
    }
  }

  /** None was redelivered, and none is anywhere else. */
  private static void assertLeft(JMSContext jms, List<String> expected) throws Exception {
    List<String> left = new ArrayList<>();
    try (JMSConsumer consumer = jms.createConsumer(jms.createQueue("work"))) {
      Message next = consumer.receive(1_000);
      while (next != null) {
        left.add(next.getBody(String.class));
        assertFalse(next.getJMSRedelivered());
        next = consumer.receive(1_000);
      }
    }
    assertEquals(expected, left);
  }
}
