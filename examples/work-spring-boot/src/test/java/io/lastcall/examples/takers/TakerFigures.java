package io.lastcall.examples.takers;

import io.lastcall.examples.work.figures.Client;
import io.lastcall.examples.work.figures.Figures;
import java.util.List;
import java.util.concurrent.Callable;

/** The second table of {@code docs/work-figures.md}: each service, and without the starter. */
public final class TakerFigures {
  /** A delay in which a taker that nothing stops takes on. */
  private static final String[] SETTINGS = {
    "--server.port=0",
    "--piece.time=20ms",
    "--lastcall.propagation-delay=1s",
    "--lastcall.clean-exit-code=0",
    "--logging.threshold.console=off", // its output has the orders
    "--logging.file.name=target/services.log"
  };

  private TakerFigures() {}

  /** Arguments: see {@link Figures#print}. */
  public static void main(String[] args) throws Exception {
    List<Client> services =
        List.of(
            service("kafka", Backlogs::kafka, KafkaService.class).oneRecord(),
            service("cloud-stream", Backlogs::cloudStream, CloudStreamService.class).oneRecord(),
            service("quartz", Backlogs::quartz, QuartzService.class),
            service("db-scheduler", Backlogs::dbScheduler, DbSchedulerService.class),
            service("redis", Backlogs::redis, RedisService.class),
            service("sqs", Backlogs::sqs, SqsService.class),
            service("integration", Backlogs::integration, IntegrationService.class),
            service("batch", Backlogs::batch, BatchJob.class).exitCode(75));
    Figures.print(services, args);
  }

  private static Client service(String name, Callable<ServiceBacklog> backlog, Class<?> program) {
    return new Client(name, () -> backlog.call().with(SETTINGS), program, program)
        .withoutOptions("-Dlastcall.enabled=false");
  }
}
