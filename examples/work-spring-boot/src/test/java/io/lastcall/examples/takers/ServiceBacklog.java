package io.lastcall.examples.takers;

import io.lastcall.examples.work.Backlog;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A backlog that a service knows by its settings.
 *
 * @param settings made of the backlog's arguments
 */
record ServiceBacklog(Backlog outside, Function<List<String>, List<String>> settings)
    implements Backlog {
  /** Many, since a service takes orders before it has started. */
  private static final int ORDERS = 400;

  ServiceBacklog with(String... more) {
    return new ServiceBacklog(
        outside,
        arguments -> Stream.concat(settings.apply(arguments).stream(), Stream.of(more)).toList());
  }

  @Override
  public List<String> arguments() {
    return settings.apply(outside.arguments());
  }

  @Override
  public void add(List<String> orders) throws Exception {
    outside.add(orders);
  }

  @Override
  public List<String> takeAll() throws Exception {
    return outside.takeAll();
  }

  @Override
  public int hidden() throws Exception {
    return outside.hidden();
  }

  @Override
  public int orders() {
    return ORDERS;
  }

  /** A job runs in a runner, after which the service has started. */
  @Override
  public boolean isStartAwaited() {
    return !(outside instanceof BatchBacklog);
  }

  @Override
  public void close() {
    outside.close();
  }
}
