package io.lastcall.examples.work.checkpoint;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.work.Orders;
import io.lastcall.work.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Processes orders one by one, and remembers in a file how many are done. After SIGTERM it finishes
 * the one in work and exits with 75: the Job starts another pod, which goes on from there.
 */
public final class LongJob {
  private final Path checkpoint;
  private final int orders;

  private LongJob(Path checkpoint, int orders) {
    this.checkpoint = checkpoint;
    this.orders = orders;
  }

  /**
   * The arguments are the file, on a volume that outlives the pod, and how many orders there are.
   */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().install();
    new LongJob(Path.of(args[0]), Integer.parseInt(args[1])).run(shutdown);
  }

  private void run(GracefulShutdown shutdown) throws Exception {
    int next = load();
    try (Job job = shutdown.beginJob("orders")) {
      while (next < orders && !job.stopRequested()) {
        Orders.process("order-" + next);
        next++;
        save(next);
        job.progress((double) next / orders, "order " + next);
      }
      if (next < orders) {
        job.handBack(Orders::printStopped); // what is left is in the file already
      }
    }
  }

  private int load() throws IOException {
    return Files.exists(checkpoint) ? Integer.parseInt(Files.readString(checkpoint)) : 0;
  }

  /** Replaced as a whole: a process that is killed while it writes leaves the old one. */
  private void save(int next) throws IOException {
    Path written = checkpoint.resolveSibling(checkpoint.getFileName() + ".new");
    Files.writeString(written, Integer.toString(next));
    Files.move(
        written, checkpoint, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
