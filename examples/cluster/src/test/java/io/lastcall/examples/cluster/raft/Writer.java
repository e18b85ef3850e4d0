package io.lastcall.examples.cluster.raft;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.util.TimeDuration;

/**
 * A client that writes one order after another, and remembers which were acknowledged, and when.
 */
final class Writer implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final RaftClient client;
  private final Thread thread = new Thread(this::run, "writer");
  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private volatile boolean stopped;

  private record Acknowledged(String order, long nanos) {}

  Writer(RaftGroup group) {
    client =
        RaftClient.newBuilder()
            .setProperties(new RaftProperties())
            .setRaftGroup(group)
            .setRetryPolicy(
                RetryPolicies.retryForeverWithSleep(
                    TimeDuration.valueOf(PAUSE_NANOS, TimeUnit.NANOSECONDS)))
            .build();
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    for (long number = 0; !stopped; ) {
      String order = "order-" + number;
      try {
        if (client.io().send(Message.valueOf(order)).isSuccess()) {
          add(new Acknowledged(order, System.nanoTime()));
          number++;
        }
      } catch (IOException e) {
        // A leader that hands over refuses, and the client does not try again: the same order.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void add(Acknowledged order) {
    synchronized (acknowledged) {
      acknowledged.add(order);
      acknowledged.notifyAll();
    }
  }

  /** Waits until a number of orders are acknowledged from now on. */
  void await(int number) throws InterruptedException {
    synchronized (acknowledged) {
      int wanted = acknowledged.size() + number;
      while (acknowledged.size() < wanted) {
        acknowledged.wait();
      }
    }
  }

  /** Returns the longest time between two acknowledgements, of those that ended in this time. */
  long longestPause(long from, long to) {
    synchronized (acknowledged) {
      long longest = 0;
      for (int i = 1; i < acknowledged.size(); i++) {
        long end = acknowledged.get(i).nanos;
        if (end >= from && acknowledged.get(i - 1).nanos <= to) {
          longest = Math.max(longest, end - acknowledged.get(i - 1).nanos);
        }
      }
      return longest;
    }
  }

  /** Returns the orders that were acknowledged before now and are not kept. */
  List<String> lost() throws IOException {
    List<Acknowledged> before;
    synchronized (acknowledged) {
      before = List.copyOf(acknowledged);
    }
    RaftClientReply reply = client.io().sendReadOnly(Message.valueOf(""));
    Set<String> kept =
        new HashSet<>(List.of(reply.getMessage().getContent().toStringUtf8().split("\n")));
    return before.stream()
        .map(Acknowledged::order)
        .filter(order -> !kept.contains(order))
        .map(order -> order + " is lost")
        .toList();
  }

  @Override
  public void close() throws IOException {
    stopped = true;
    client.close();
  }
}
