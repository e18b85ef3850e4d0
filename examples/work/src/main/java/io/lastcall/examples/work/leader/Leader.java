package io.lastcall.examples.work.leader;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.kubernetes.Preparation;
import io.lastcall.kubernetes.PreparationAnswer;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Processes orders while it leads. The lease is a row of a table; the leader renews it with each
 * order, and the others offer themselves in that row. A leader that is asked to prepare, or ends,
 * finishes the order in work and gives the lease to one of the others, so that there is always a
 * leader. Where all of the others were asked too, and the leader is dead, one of them leads.
 */
public final class Leader implements WorkSource, Preparation, Runnable {
  /** The database's clock counts for all. */
  private static final String UNTIL = "DATEADD(SECOND, 15, CURRENT_TIMESTAMP)";

  /** Short: a candidate may have been killed since it offered itself. A live one renews at once. */
  private static final String HANDED_OVER_UNTIL = "DATEADD(SECOND, 2, CURRENT_TIMESTAMP)";

  private static final long PAUSE_MILLIS = 200;

  /** How long a lapsed lease is left to members that were not asked to prepare. */
  private static final Duration PRECEDENCE = Duration.ofSeconds(2);

  private final Connection connection;
  private final String name;
  private final Thread thread = new Thread(this, "leader");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  /** Complete while this one does not lead; null unless it was asked to prepare. */
  private final AtomicReference<@Nullable CompletableFuture<Void>> handedOver =
      new AtomicReference<>();

  private Leader(Connection connection, String name) {
    this.connection = connection;
    this.name = name;
  }

  /** The arguments are the database's URL and this process's own name. */
  public static void main(String[] args) throws SQLException {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Connection connection = DriverManager.getConnection(args[0]);
    shutdown.step(Phase.CLOSE_CONNECTIONS, "database", context -> connection.close());
    Leader leader = new Leader(connection, args[1]);
    shutdown.workSource("orders", leader);
    Preparation.register(shutdown, "leader", leader);
    leader.thread.start();
  }

  @Override
  public void run() {
    try {
      for (long order = 0; stopped.getCount() > 0; order++) {
        if (isLeading()) {
          Orders.process(name + "-" + order);
        } else {
          stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      handOver();
      update("UPDATE lease SET holder = '', until = CURRENT_TIMESTAMP WHERE holder = ?");
      finished.complete(null);
    } catch (SQLException | InterruptedException e) {
      finished.completeExceptionally(e);
    }
  }

  private boolean isLeading() throws SQLException {
    CompletableFuture<Void> asked = handedOver.get();
    if (asked != null) {
      handOver();
    }
    if (update("UPDATE lease SET until = " + UNTIL + " WHERE holder = ?")) {
      return true;
    }
    if (asked == null) {
      update("UPDATE lease SET candidate = ?, seen = CURRENT_TIMESTAMP");
      return takeLapsed(Duration.ZERO);
    }
    // The leader may be dead and all others asked: then one of them leads, and prepares anew.
    if (takeLapsed(PRECEDENCE)) {
      handedOver.compareAndSet(asked, new CompletableFuture<>());
      return true;
    }
    asked.complete(null);
    return false;
  }

  /** Takes a lease that lapsed at least {@code since} ago; one that was returned lapsed then. */
  private boolean takeLapsed(Duration since) throws SQLException {
    return update(
        "UPDATE lease SET candidate = '', holder = ?, until = "
            + UNTIL
            + " WHERE until < DATEADD(SECOND, -"
            + since.toSeconds()
            + ", CURRENT_TIMESTAMP)");
  }

  /** Offers itself no more, and gives the lease to another that has offered itself just now. */
  private void handOver() throws SQLException {
    update("UPDATE lease SET candidate = '' WHERE candidate = ?");
    update(
        "UPDATE lease SET holder = candidate, candidate = '', until = "
            + HANDED_OVER_UNTIL
            + " WHERE holder = ? AND candidate <> ''"
            + " AND seen > DATEADD(SECOND, -1, CURRENT_TIMESTAMP)");
  }

  /** Waits while the row is locked: without its thread the leader would end. */
  private boolean update(String sql) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 1; i <= update.getParameterMetaData().getParameterCount(); i++) {
        update.setString(i, name);
      }
      while (true) {
        try {
          return update.executeUpdate() == 1;
        } catch (SQLTimeoutException locked) {
          // A lease that lapsed meanwhile may be another's: each update asks whose it is.
        }
      }
    }
  }

  @Override
  public void stopTaking() {
    stopped.countDown();
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  @Override
  public PreparationAnswer prepare() {
    CompletableFuture<Void> asked = handedOver.get();
    if (asked == null) {
      asked = new CompletableFuture<>();
      handedOver.set(asked);
    }
    return asked.isDone()
        ? PreparationAnswer.prepared()
        : PreparationAnswer.preparing(Duration.ofSeconds(1), "another must take the lease");
  }

  @Override
  public void cancel() {
    handedOver.set(null);
  }
}
