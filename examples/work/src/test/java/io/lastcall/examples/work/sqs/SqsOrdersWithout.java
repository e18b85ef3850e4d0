package io.lastcall.examples.work.sqs;

import io.lastcall.examples.work.Orders;
import java.net.URI;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** {@link SqsOrders} without the library: a hook closes the client. */
public final class SqsOrdersWithout {
  private SqsOrdersWithout() {}

  public static void main(String[] args) throws InterruptedException {
    SqsClient client = SqsOrders.client(URI.create(args[0]));
    Runtime.getRuntime().addShutdownHook(new Thread(client::close));
    while (true) {
      for (Message next :
          client
              .receiveMessage(
                  poll -> poll.queueUrl(args[1]).maxNumberOfMessages(10).waitTimeSeconds(20))
              .messages()) {
        Orders.process(next.body());
        client.deleteMessage(one -> one.queueUrl(args[1]).receiptHandle(next.receiptHandle()));
      }
    }
  }
}
