package io.lastcall.examples.work.nats;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamStatusCheckedException;
import io.nats.client.Message;
import io.nats.client.Nats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Takes orders from a stream of JetStream, one by one, as one process of a durable consumer. */
public final class NatsOrders implements WorkSource, Runnable {
  static final String STREAM = "orders";
  static final String CONSUMER = "workers";
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Connection nats;
  private final ConsumerContext consumer;
  private final Thread thread = new Thread(this, "orders");
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;
  private volatile @Nullable Message taken;

  private NatsOrders(Connection nats) throws IOException, JetStreamApiException {
    this.nats = nats;
    consumer = nats.getConsumerContext(STREAM, CONSUMER);
  }

  /** The only argument is the server's address. */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Connection nats = Nats.connect(args[0]);
    shutdown.step(Phase.CLOSE_CONNECTIONS, "nats", context -> nats.close());
    NatsOrders orders = new NatsOrders(nats);
    shutdown.workSource("orders", orders);
    orders.thread.start();
  }

  @Override
  public void run() {
    try {
      while (taking) {
        takeNext();
      }
      nats.flush(WAIT); // a nak that only waits to be sent goes with the connection
      finished.complete(null);
    } catch (InterruptedException | RuntimeException e) {
      finished.completeExceptionally(e);
    } catch (IOException | JetStreamApiException | JetStreamStatusCheckedException e) {
      finished.completeExceptionally(e);
    } catch (TimeoutException e) {
      finished.completeExceptionally(e);
    }
  }

  private void takeNext()
      throws InterruptedException,
          IOException,
          JetStreamApiException,
          JetStreamStatusCheckedException,
          TimeoutException {
    Message next = consumer.next(WAIT);
    if (next != null && !taking) {
      next.nak(); // it came as the wait was over
    } else if (next != null) {
      taken = next;
      Orders.process(new String(next.getData(), StandardCharsets.UTF_8));
      next.ackSync(WAIT); // an ack that is only sent may be lost with the process
      taken = null;
    }
  }

  /** A wait for the next one ends within its second. */
  @Override
  public void stopTaking() {
    taking = false;
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Or it is hidden until {@code AckWait} is over, 30 s by default. */
  @Override
  public boolean handBack() throws InterruptedException, TimeoutException {
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(1));
    Message unfinished = taken;
    if (unfinished != null) {
      unfinished.nak();
      nats.flush(WAIT);
    }
    return unfinished != null;
  }
}
