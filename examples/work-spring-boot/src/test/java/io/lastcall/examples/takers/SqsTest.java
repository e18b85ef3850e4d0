package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** With ElasticMQ in place of SQS. */
@Tag("all")
class SqsTest extends TakerContract {
  private static final int MESSAGES = 40;
  private final SQSRestServer server =
      SQSRestServerBuilder.withDynamicPort().withInterface("127.0.0.1").start();
  private final URI address =
      URI.create("http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
  private final SqsClient client =
      SqsClient.builder()
          .endpointOverride(address)
          .region(Region.EU_CENTRAL_1)
          .credentialsProvider(AnonymousCredentialsProvider.create())
          .build();

  SqsTest() {
    super(SqsService.class, 1);
  }

  @AfterAll
  void stop() {
    client.close();
    server.stopAndWait();
  }

  private String queue() {
    return client.createQueue(each -> each.queueName("orders")).queueUrl();
  }

  @Override
  List<String> prepare() {
    String queue = queue();
    client.purgeQueue(each -> each.queueUrl(queue));
    for (int i = 0; i < MESSAGES; i++) {
      String body = "order-" + i;
      client.sendMessage(each -> each.queueUrl(queue).messageBody(body));
    }
    return List.of(
        "--spring.cloud.aws.sqs.enabled=true",
        "--spring.cloud.aws.endpoint=" + address,
        "--spring.cloud.aws.region.static=eu-central-1",
        "--spring.cloud.aws.credentials.access-key=any",
        "--spring.cloud.aws.credentials.secret-key=any");
  }

  /** None is hidden from other consumers, and what has ended is gone. */
  @Override
  void assertLeft(List<String> ended) {
    String queue = queue();
    var counts =
        client.getQueueAttributes(
            each ->
                each.queueUrl(queue)
                    .attributeNames(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE));
    assertEquals(
        List.of(String.valueOf(MESSAGES - ended.size()), "0"),
        List.of(
            counts.attributes().get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
            counts
                .attributes()
                .get(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)));
  }
}
