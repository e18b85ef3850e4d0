package io.lastcall.spring.work;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.lastcall.testing.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** Qpid Broker-J in this JVM, which speaks AMQP 0-9-1 as RabbitMQ does. */
public final class Qpid implements AutoCloseable {
  private static final String CONFIGURATION =
      """
      {
        "name": "embedded",
        "modelVersion": "9.1",
        "authenticationproviders": [
          {"name": "plain", "type": "Plain", "secureOnlyMechanisms": [],
           "users": [{"name": "guest", "type": "managed", "password": "guest"}]}],
        "ports": [
          {"name": "amqp", "port": "%d", "bindingAddress": "127.0.0.1",
           "authenticationProvider": "plain", "protocols": ["AMQP_0_9_1"],
           "virtualhostaliases": [{"name": "byName", "type": "nameAlias"}]}],
        "virtualhostnodes": [
          {"name": "default", "type": "Memory", "defaultVirtualHostNode": "true",
           "virtualHostInitialConfiguration": "{\\"type\\": \\"Memory\\"}"}]
      }
      """;

  private final SystemLauncher broker = new SystemLauncher();
  private final ConnectionFactory connections = new ConnectionFactory();
  private final String uri;

  /** Starts it. */
  public Qpid() throws Exception {
    int port = FreePort.next();
    Path file = Files.createTempFile("qpid", ".json");
    Files.writeString(file, CONFIGURATION.formatted(port));
    broker.startup(
        Map.of("type", "Memory", "initialConfigurationLocation", file.toUri().toString()));
    Files.delete(file);
    uri = "amqp://guest:guest@127.0.0.1:" + port + "/default";
    connections.setUri(uri);
  }

  /** Returns where it is. */
  public String uri() {
    return uri;
  }

  /** Makes a queue. */
  public void queue(String name) throws Exception {
    try (Connection connection = connections.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare(name, true, false, false, Map.of());
    }
  }

  /** Puts messages into a queue. */
  public void publish(String queue, String... messages) throws Exception {
    try (Connection connection = connections.newConnection();
        Channel channel = connection.createChannel()) {
      for (String each : messages) {
        channel.basicPublish("", queue, null, each.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  /** Takes what has been published to a queue, and not been acknowledged. */
  public List<String> takeAll(String queue) throws Exception {
    List<String> left = new ArrayList<>();
    try (Connection connection = connections.newConnection();
        Channel channel = connection.createChannel()) {
      GetResponse next = channel.basicGet(queue, true);
      while (next != null) {
        left.add(new String(next.getBody(), StandardCharsets.UTF_8));
        next = channel.basicGet(queue, true);
      }
    }
    return left;
  }

  @Override
  public void close() {
    broker.shutdown();
  }
}
