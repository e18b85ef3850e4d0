package io.lastcall.examples.work.checkpoint;

import io.lastcall.examples.work.Backlog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A checkpoint file: what it does not say is done can be taken. */
public final class CheckpointBacklog implements Backlog {
  private final Path folder;
  private final Path file;
  private List<String> orders = List.of();

  public CheckpointBacklog() throws IOException {
    folder = Files.createTempDirectory("checkpoint");
    file = folder.resolve("orders");
  }

  @Override
  public List<String> arguments() {
    return List.of(file.toString(), Integer.toString(orders.size()));
  }

  @Override
  public void add(List<String> added) {
    orders = added;
  }

  @Override
  public List<String> takeAll() throws IOException {
    List<String> left = left();
    Files.deleteIfExists(file);
    return left;
  }

  /** Returns what a process that starts now would do. */
  List<String> left() throws IOException {
    String done = Files.exists(file) ? Files.readString(file) : "";
    // A file that was cut while it was written: all is done anew.
    return orders.subList(done.isEmpty() ? 0 : Integer.parseInt(done), orders.size());
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder.resolve("orders.new"));
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
