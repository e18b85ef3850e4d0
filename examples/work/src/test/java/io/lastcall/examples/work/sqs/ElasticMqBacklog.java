package io.lastcall.examples.work.sqs;

import io.lastcall.examples.work.Backlog;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** ElasticMQ in this JVM, with a queue of its own for each shutdown. */
public final class ElasticMqBacklog implements Backlog {
  private final SQSRestServer server =
      SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
  private final URI address =
      URI.create("http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
  private final SqsClient client = SqsOrders.client(address);
  private String queue = "";
  private int queues;

  @Override
  public List<String> arguments() {
    return List.of(address.toString(), queue);
  }

  @Override
  public void add(List<String> orders) {
    queues++;
    queue = client.createQueue(create -> create.queueName("orders-" + queues)).queueUrl();
    orders.forEach(order -> client.sendMessage(send -> send.queueUrl(queue).messageBody(order)));
  }

  /** Of messages that were received and not deleted, others see nothing for 30 s. */
  @Override
  public int hidden() {
    QueueAttributeName hidden = QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;
    return Integer.parseInt(
        client
            .getQueueAttributes(get -> get.queueUrl(queue).attributeNames(hidden))
            .attributes()
            .getOrDefault(hidden, "0"));
  }

  @Override
  public List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    List<Message> batch = receive();
    while (!batch.isEmpty()) {
      batch.forEach(each -> taken.add(each.body()));
      batch = receive();
    }
    return taken;
  }

  private List<Message> receive() {
    return client.receiveMessage(poll -> poll.queueUrl(queue).maxNumberOfMessages(10)).messages();
  }

  @Override
  public void close() {
    client.close();
    server.stopAndWait();
  }
}
