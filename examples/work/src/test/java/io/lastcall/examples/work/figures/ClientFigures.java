package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.amqp.QpidBacklog;
import io.lastcall.examples.work.amqp.RabbitOrders;
import io.lastcall.examples.work.amqp.RabbitOrdersWithout;
import io.lastcall.examples.work.checkpoint.CheckpointBacklog;
import io.lastcall.examples.work.checkpoint.LongJob;
import io.lastcall.examples.work.checkpoint.LongJobWithout;
import io.lastcall.examples.work.dbscheduler.ScheduledOrders;
import io.lastcall.examples.work.dbscheduler.ScheduledOrdersWithout;
import io.lastcall.examples.work.dbscheduler.TaskBacklog;
import io.lastcall.examples.work.jms.ArtemisBacklog;
import io.lastcall.examples.work.jms.JmsConsumer;
import io.lastcall.examples.work.jms.JmsWithout;
import io.lastcall.examples.work.kafka.KafkaBacklog;
import io.lastcall.examples.work.kafka.KafkaOrders;
import io.lastcall.examples.work.kafka.KafkaOrdersWithout;
import io.lastcall.examples.work.nats.NatsBacklog;
import io.lastcall.examples.work.nats.NatsOrders;
import io.lastcall.examples.work.nats.NatsOrdersWithout;
import io.lastcall.examples.work.poller.Poller;
import io.lastcall.examples.work.poller.PollerWithout;
import io.lastcall.examples.work.poller.TableBacklog;
import io.lastcall.examples.work.quartz.QuartzBacklog;
import io.lastcall.examples.work.quartz.QuartzOrders;
import io.lastcall.examples.work.quartz.QuartzOrdersWithout;
import io.lastcall.examples.work.redis.RedisBacklog;
import io.lastcall.examples.work.redis.RedisOrders;
import io.lastcall.examples.work.redis.RedisOrdersWithout;
import io.lastcall.examples.work.sqs.ElasticMqBacklog;
import io.lastcall.examples.work.sqs.SqsOrders;
import io.lastcall.examples.work.sqs.SqsOrdersWithout;
import io.lastcall.examples.work.streams.StreamsOrders;
import io.lastcall.examples.work.streams.StreamsOrdersWithout;
import java.util.List;

/** The first table of {@code docs/work-figures.md}: each example, and without Lastcall. */
public final class ClientFigures {
  private static final List<Client> CLIENTS =
      List.of(
          new Client("jms", ArtemisBacklog::new, JmsConsumer.class, JmsWithout.class),
          new Client("job", CheckpointBacklog::new, LongJob.class, LongJobWithout.class)
              .exitCode(75),
          new Client("poller", TableBacklog::new, Poller.class, PollerWithout.class),
          new Client(
              "db-scheduler",
              TaskBacklog::new,
              ScheduledOrders.class,
              ScheduledOrdersWithout.class),
          new Client("kafka", KafkaBacklog::new, KafkaOrders.class, KafkaOrdersWithout.class)
              .oneRecord(),
          new Client("amqp", QpidBacklog::new, RabbitOrders.class, RabbitOrdersWithout.class),
          new Client(
                  "kafka-streams",
                  KafkaBacklog::new,
                  StreamsOrders.class,
                  StreamsOrdersWithout.class)
              .oneRecord(),
          new Client("quartz", QuartzBacklog::new, QuartzOrders.class, QuartzOrdersWithout.class),
          new Client("redis", RedisBacklog::new, RedisOrders.class, RedisOrdersWithout.class),
          new Client("nats", NatsBacklog::new, NatsOrders.class, NatsOrdersWithout.class),
          new Client("sqs", ElasticMqBacklog::new, SqsOrders.class, SqsOrdersWithout.class));

  private ClientFigures() {}

  /** Arguments: see {@link Figures#print}. */
  public static void main(String[] args) throws Exception {
    Figures.print(CLIENTS, args);
  }
}
