package io.lastcall.examples.work.leader;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Processes orders while it leads. The lease is a row of a table; it is renewed with each order.
 * Who ends gives it up after the order in work, so that the next one leads at once and not only
 * when the lease has run out.
 */
public final class Leader implements WorkSource, Runnable {
  private static final int LEASE_SECONDS = 15;
  private static final long PAUSE_MILLIS = 200;

  private final Connection connection;
  private final String name;
  private final Thread thread = new Thread(this, "leader");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

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
    leader.thread.start();
  }

  @Override
  public void run() {
    try {
      for (long order = 0; stopped.getCount() > 0; order++) {
        if (lead()) {
          Orders.process(name + "-" + order);
        } else {
          stopped.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
      }
      update("UPDATE lease SET holder = '' WHERE holder = ?");
      finished.complete(null);
    } catch (SQLException | InterruptedException e) {
      finished.completeExceptionally(e);
    }
  }

  /** Takes the lease, or renews it; the database's clock counts for all. */
  private boolean lead() throws SQLException {
    return update(
        "UPDATE lease SET holder = ?, until = DATEADD(SECOND, %d, CURRENT_TIMESTAMP)"
                .formatted(LEASE_SECONDS)
            + " WHERE holder = ? OR holder = '' OR until < CURRENT_TIMESTAMP");
  }

  private boolean update(String sql) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int i = 1; i <= update.getParameterMetaData().getParameterCount(); i++) {
        update.setString(i, name);
      }
      return update.executeUpdate() == 1;
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
}
