package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;

/** What holds, besides, for a taker with a broker or a database: what is left can be taken. */
abstract class BacklogContract extends TakerContract {
  private static final List<String> ORDERS =
      IntStream.range(0, 40).mapToObj(i -> "order-" + i).toList();

  private final ServiceBacklog backlog;

  BacklogContract(Class<?> application, ServiceBacklog backlog) {
    super(application, 1);
    this.backlog = backlog;
  }

  final ServiceBacklog backlog() {
    return backlog;
  }

  @Override
  List<String> prepare() throws Exception {
    backlog.add(ORDERS);
    return backlog.arguments();
  }

  /** At once, as another process, and nothing that was done. */
  @Override
  void assertLeft(List<String> ended) throws Exception {
    List<String> left = new ArrayList<>(ORDERS);
    left.removeAll(ended);
    assertEquals(0, backlog.hidden());
    assertEquals(left.stream().sorted().toList(), backlog.takeAll().stream().sorted().toList());
  }

  @AfterEach
  void empty() throws Exception {
    var unused = backlog.takeAll();
  }

  @AfterAll
  void close() {
    backlog.close();
  }
}
