package io.lastcall.examples.work.nats;

import io.lastcall.examples.work.Backlog;
import io.lastcall.examples.work.ServerBinary;
import io.lastcall.testing.FreePort;
import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A NATS server of its own, with a stream and a durable consumer anew for each shutdown. */
public final class NatsBacklog implements Backlog {
  public static final ServerBinary SERVER = new ServerBinary("nats-server");

  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Process process;
  private final String url;
  private final Connection nats;

  /** As another process, before the stream goes. */
  private final List<String> taken = new ArrayList<>();

  public NatsBacklog() throws IOException {
    int port = FreePort.next();
    process =
        SERVER.start(
            "-js",
            "-sd",
            Files.createTempDirectory("nats").toString(),
            "-a",
            "127.0.0.1",
            "-p",
            Integer.toString(port));
    url = "nats://127.0.0.1:" + port;
    nats =
        Awaitility.await()
            .atMost(60, TimeUnit.SECONDS)
            .until(() -> connect(url), Optional::isPresent)
            .orElseThrow();
  }

  /** Empty as long as it does not listen. */
  private static Optional<Connection> connect(String url) throws InterruptedException {
    try {
      return Optional.of(Nats.connect(url));
    } catch (IOException notYet) {
      return Optional.empty();
    }
  }

  public static boolean isThere() {
    return SERVER.isInstalled();
  }

  @Override
  public List<String> arguments() {
    return List.of(url);
  }

  @Override
  public void add(List<String> orders) throws Exception {
    var streams = nats.jetStreamManagement();
    streams.addStream(
        StreamConfiguration.builder()
            .name(NatsOrders.STREAM)
            .subjects(NatsOrders.STREAM)
            .storageType(StorageType.Memory)
            .build());
    streams.addOrUpdateConsumer(
        NatsOrders.STREAM,
        ConsumerConfiguration.builder()
            .durable(NatsOrders.CONSUMER)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(Duration.ofMinutes(10))
            .build());
    for (String order : orders) {
      nats.jetStream().publish(NatsOrders.STREAM, order.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * What the process that is gone has taken: for {@code AckWait} nobody else gets it. The server
   * counts what came back by a nak, too, until it is taken again.
   */
  @Override
  public int hidden() throws Exception {
    ConsumerContext consumer = nats.getConsumerContext(NatsOrders.STREAM, NatsOrders.CONSUMER);
    Message next = consumer.next(WAIT);
    while (next != null) {
      taken.add(new String(next.getData(), StandardCharsets.UTF_8));
      next.ackSync(WAIT);
      next = consumer.next(WAIT);
    }
    return (int) consumer.getConsumerInfo().getNumAckPending();
  }

  @Override
  public List<String> takeAll() throws Exception {
    nats.jetStreamManagement().deleteStream(NatsOrders.STREAM);
    List<String> all = List.copyOf(taken);
    taken.clear();
    return all;
  }

  @Override
  public void close() {
    try {
      nats.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroy();
  }
}
