package io.lastcall.examples.takers;

import io.lastcall.examples.work.dbscheduler.TaskBacklog;
import io.lastcall.examples.work.kafka.KafkaBacklog;
import io.lastcall.examples.work.poller.TableBacklog;
import io.lastcall.examples.work.quartz.QuartzBacklog;
import io.lastcall.examples.work.redis.RedisBacklog;
import io.lastcall.examples.work.sqs.ElasticMqBacklog;
import java.util.ArrayList;
import java.util.List;

/** The backlogs of {@code examples/work}, with the settings of the services that take from them. */
final class Backlogs {
  private Backlogs() {}

  static ServiceBacklog kafka() throws Exception {
    return new ServiceBacklog(
        new KafkaBacklog(),
        arguments ->
            List.of(
                "--spring.kafka.bootstrap-servers=" + arguments.get(0),
                "--orders.topic=" + arguments.get(1),
                "--spring.kafka.consumer.auto-offset-reset=earliest"));
  }

  static ServiceBacklog cloudStream() throws Exception {
    return new ServiceBacklog(
        new KafkaBacklog(),
        arguments ->
            List.of(
                "--spring.cloud.function.definition=orders",
                "--spring.cloud.stream.kafka.binder.brokers=" + arguments.get(0),
                "--spring.cloud.stream.bindings.orders-in-0.destination=" + arguments.get(1),
                "--spring.cloud.stream.bindings.orders-in-0.group=" + arguments.get(1),
                "--spring.cloud.stream.kafka.default.consumer.start-offset=earliest"));
  }

  static ServiceBacklog quartz() throws Exception {
    return new ServiceBacklog(
        new QuartzBacklog(QuartzService.Order.class),
        arguments ->
            database(
                arguments,
                "--spring.quartz.job-store-type=jdbc",
                "--spring.quartz.jdbc.initialize-schema=never",
                "--spring.quartz.scheduler-name=orders",
                "--spring.quartz.properties.org.quartz.threadPool.threadCount=1"));
  }

  static ServiceBacklog dbScheduler() throws Exception {
    return new ServiceBacklog(new TaskBacklog(), Backlogs::database);
  }

  static ServiceBacklog integration() throws Exception {
    return new ServiceBacklog(new TableBacklog(), Backlogs::database);
  }

  static ServiceBacklog batch() throws Exception {
    return new ServiceBacklog(
        new BatchBacklog(),
        arguments ->
            database(
                arguments.subList(0, 1),
                "--job.orders=" + arguments.get(1),
                "--spring.main.web-application-type=none",
                "--spring.batch.jdbc.initialize-schema=always"));
  }

  static ServiceBacklog redis() throws Exception {
    return new ServiceBacklog(
        new RedisBacklog(),
        arguments ->
            List.of(
                "--spring.data.redis.url=" + arguments.get(0),
                "--spring.data.redis.client-type=lettuce",
                "--orders.consumer=" + arguments.get(1)));
  }

  static ServiceBacklog sqs() {
    return new ServiceBacklog(
        new ElasticMqBacklog(),
        arguments ->
            List.of(
                "--spring.cloud.aws.sqs.enabled=true",
                "--spring.cloud.aws.endpoint=" + arguments.get(0),
                "--orders.queue=" + arguments.get(1),
                "--spring.cloud.aws.region.static=eu-central-1",
                "--spring.cloud.aws.credentials.access-key=any",
                "--spring.cloud.aws.credentials.secret-key=any"));
  }

  private static List<String> database(List<String> arguments, String... more) {
    List<String> settings = new ArrayList<>(List.of(more));
    settings.add("--spring.datasource.url=" + arguments.get(0));
    settings.add("--spring.datasource.username=");
    return settings;
  }
}
