package io.lastcall.examples.work.poller;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.phase.Phase;
import io.lastcall.work.WorkSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Takes orders from a table: the row stays locked until its order is done. */
public final class Poller implements WorkSource, Runnable {
  private static final long PAUSE_MILLIS = 500;

  private final Connection connection;
  private final Thread thread = new Thread(this, "orders");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CompletableFuture<Void> finished = new CompletableFuture<>();

  private Poller(Connection connection) {
    this.connection = connection;
  }

  /** The only argument is the database's URL. */
  public static void main(String[] args) throws SQLException {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Connection connection = DriverManager.getConnection(args[0]);
    connection.setAutoCommit(false);
    shutdown.step(Phase.CLOSE_CONNECTIONS, "database", context -> connection.close());
    Poller poller = new Poller(connection);
    shutdown.workSource("orders", poller);
    poller.thread.start();
  }

  @Override
  public void run() {
    try {
      boolean stop = false;
      while (!stop) {
        Optional<String> order = lockNext();
        if (order.isPresent()) {
          Orders.process(order.get());
          markDone(order.get());
        }
        connection.commit();
        stop = stopped.await(order.isPresent() ? 0 : PAUSE_MILLIS, TimeUnit.MILLISECONDS);
      }
      finished.complete(null);
    } catch (SQLException | InterruptedException e) {
      finished.completeExceptionally(e);
    }
  }

  private Optional<String> lockNext() throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT name FROM orders WHERE NOT done LIMIT 1 FOR UPDATE SKIP LOCKED");
        ResultSet row = select.executeQuery()) {
      return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
    }
  }

  private void markDone(String order) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE orders SET done = TRUE WHERE name = ?")) {
      update.setString(1, order);
      update.executeUpdate();
    }
  }

  /** Ends a pause at once. */
  @Override
  public void stopTaking() {
    stopped.countDown();
    Orders.printStopped();
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Interrupted first, so that nothing is done whose row another poller locks. */
  @Override
  public boolean handBack() throws SQLException {
    thread.interrupt();
    connection.rollback();
    return true;
  }
}
