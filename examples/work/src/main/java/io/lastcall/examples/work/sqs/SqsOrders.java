package io.lastcall.examples.work.sqs;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** Takes orders from a queue by long polls: each is deleted when it is done. */
public final class SqsOrders implements WorkSource, Runnable {
  private static final int BATCH = 10;

  /** Nothing ends a poll early: what it still brings would be hidden from all. */
  private static final int POLL_SECONDS = 5;

  private final SqsClient client;
  private final String queue;
  private final Thread thread = new Thread(this, "orders");
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;

  private SqsOrders(SqsClient client, String queue) {
    this.client = client;
    this.queue = queue;
  }

  /** The arguments are the service's address and the queue's URL. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    SqsClient client = client(URI.create(args[0]));
    shutdown.step(Phase.CLOSE_CONNECTIONS, "client", context -> client.close());
    SqsOrders orders = new SqsOrders(client, args[1]);
    shutdown.workSource("orders", orders);
    orders.thread.start();
  }

  static SqsClient client(URI address) {
    return SqsClient.builder()
        .endpointOverride(address)
        .region(Region.EU_CENTRAL_1)
        .credentialsProvider(AnonymousCredentialsProvider.create())
        .build();
  }

  @Override
  public void run() {
    try {
      while (taking) {
        process(receive());
      }
      finished.complete(null);
    } catch (RuntimeException e) {
      finished.completeExceptionally(e);
    }
  }

  private List<Message> receive() {
    return client
        .receiveMessage(
            poll -> poll.queueUrl(queue).maxNumberOfMessages(BATCH).waitTimeSeconds(POLL_SECONDS))
        .messages();
  }

  private void process(List<Message> batch) {
    int done = 0;
    try {
      while (taking && done < batch.size()) {
        Message next = batch.get(done);
        Orders.process(next.body());
        client.deleteMessage(one -> one.queueUrl(queue).receiptHandle(next.receiptHandle()));
        done++;
      }
    } catch (InterruptedException e) {
      taking = false; // handed back
    }
    batch.subList(done, batch.size()).forEach(this::release);
  }

  /** Others can take it at once, and not only after its visibility timeout. */
  private void release(Message message) {
    client.changeMessageVisibility(
        one -> one.queueUrl(queue).receiptHandle(message.receiptHandle()).visibilityTimeout(0));
  }

  @Override
  public void stopTaking() {
    taking = false;
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** The order in work is interrupted; then its thread releases it. */
  @Override
  public boolean handBack() throws InterruptedException {
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(1));
    return !thread.isAlive();
  }
}
