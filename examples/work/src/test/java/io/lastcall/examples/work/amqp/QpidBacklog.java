package io.lastcall.examples.work.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.lastcall.examples.work.Backlog;
import io.lastcall.testing.FreePort;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.qpid.server.SystemLauncher;

/** Qpid Broker-J in this JVM. */
public final class QpidBacklog implements Backlog {
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
  private final ConnectionFactory factory = new ConnectionFactory();
  private final String uri;

  public QpidBacklog() throws Exception {
    int port = FreePort.next();
    Path file = Files.createTempFile("qpid", ".json");
    file.toFile().deleteOnExit();
    Files.writeString(file, CONFIGURATION.formatted(port));
    broker.startup(
        Map.of("type", "Memory", "initialConfigurationLocation", file.toUri().toString()));
    uri = "amqp://guest:guest@127.0.0.1:" + port + "/default";
    factory.setUri(uri);
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.queueDeclare("orders", true, false, false, Map.of());
    }
  }

  @Override
  public List<String> arguments() {
    return List.of(uri);
  }

  @Override
  public void add(List<String> orders) throws Exception {
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      for (String order : orders) {
        channel.basicPublish("", "orders", null, order.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public List<String> takeAll() throws Exception {
    List<String> taken = new ArrayList<>();
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      GetResponse next = channel.basicGet("orders", true);
      while (next != null) {
        taken.add(new String(next.getBody(), StandardCharsets.UTF_8));
        next = channel.basicGet("orders", true);
      }
    }
    return taken;
  }

  @Override
  public void close() {
    broker.shutdown();
  }
}
