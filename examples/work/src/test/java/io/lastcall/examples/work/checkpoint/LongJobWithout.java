package io.lastcall.examples.work.checkpoint;

import io.lastcall.examples.work.Orders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@link LongJob} as it is written without the library: SIGTERM ends it where it is. */
public final class LongJobWithout {
  private LongJobWithout() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path checkpoint = Path.of(args[0]);
    int first = Files.exists(checkpoint) ? Integer.parseInt(Files.readString(checkpoint)) : 0;
    for (int next = first; next < Integer.parseInt(args[1]); next++) {
      Orders.process("order-" + next);
      Files.writeString(checkpoint, Integer.toString(next + 1));
    }
  }
}
