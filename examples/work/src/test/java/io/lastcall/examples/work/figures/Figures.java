package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.Backlog;
import io.lastcall.examples.work.ServerBinary;
import io.lastcall.examples.work.Trial;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Prints the table of {@code docs/work.md}: many shutdowns of each example, and without Lastcall.
 */
public final class Figures {
  private static final List<Client> CLIENTS =
      List.of(
          new Client("jms", ArtemisBacklog::new, JmsConsumer.class, JmsWithout.class),
          new Client("job", CheckpointBacklog::new, LongJob.class, LongJobWithout.class),
          new Client("poller", TableBacklog::new, Poller.class, PollerWithout.class),
          new Client(
              "db-scheduler",
              TaskBacklog::new,
              ScheduledOrders.class,
              ScheduledOrdersWithout.class),
          new Client("kafka", KafkaBacklog::new, KafkaOrders.class, KafkaOrdersWithout.class),
          new Client("amqp", QpidBacklog::new, RabbitOrders.class, RabbitOrdersWithout.class),
          new Client(
              "kafka-streams", KafkaBacklog::new, StreamsOrders.class, StreamsOrdersWithout.class),
          new Client("quartz", QuartzBacklog::new, QuartzOrders.class, QuartzOrdersWithout.class),
          new Client("redis", RedisBacklog::new, RedisOrders.class, RedisOrdersWithout.class),
          new Client("nats", NatsBacklog::new, NatsOrders.class, NatsOrdersWithout.class),
          new Client("sqs", ElasticMqBacklog::new, SqsOrders.class, SqsOrdersWithout.class));

  private Figures() {}

  /** A client library's broker, and the two programs. */
  private record Client(
      String name, Callable<Backlog> backlog, Class<?> program, Class<?> without) {
    /** Returns the server that it needs and that this machine lacks. */
    Optional<ServerBinary> missing() {
      return Stream.of(RedisBacklog.SERVER, NatsBacklog.SERVER)
          .filter(server -> server.name().startsWith(name) && !server.isInstalled())
          .findFirst();
    }
  }

  /**
   * Runs it.
   *
   * @param args how many shutdowns, then the clients' names; by default all
   */
  public static void main(String[] args) throws Exception {
    int shutdowns = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    List<String> names = List.of(args).subList(Math.min(1, args.length), args.length);
    List<Row> rows = new ArrayList<>();
    boolean right = true;
    for (Client client : CLIENTS) {
      Optional<ServerBinary> missing = client.missing();
      if (missing.isPresent()) {
        System.err.println(client.name + " " + missing.get().missing());
      } else if (names.isEmpty() || names.contains(client.name)) {
        try (Backlog backlog = client.backlog.call()) {
          Row with = row(client.name, backlog, client.program, shutdowns);
          right &= with.isRight();
          rows.add(with);
          rows.add(row(client.name + ", without", backlog, client.without, shutdowns));
        }
      }
    }
    System.out.println(Row.HEAD);
    rows.forEach(System.out::println);
    System.exit(right ? 0 : 1); // brokers leave threads
  }

  private static Row row(String name, Backlog backlog, Class<?> program, int shutdowns)
      throws Exception {
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < shutdowns; i++) {
      trials.add(Trial.underLoad(backlog, program, i));
    }
    Row row = new Row(name, trials);
    System.err.println(row); // as it goes on
    return row;
  }
}
