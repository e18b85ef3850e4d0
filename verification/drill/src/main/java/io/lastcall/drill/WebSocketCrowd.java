package io.lastcall.drill;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Many WebSockets to one server, all on the thread that calls. Some talk all the time: they send
 * again a while after each echo.
 */
final class WebSocketCrowd implements AutoCloseable {
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

  /** Whose turn to talk comes, and when; all pauses are equally long, so this is in order. */
  private record Turn(WebSocketClient talker, long at) {}

  private final Selector selector = Selector.open();
  private final List<WebSocketClient> clients = new ArrayList<>();
  private final Queue<Turn> turns = new ArrayDeque<>();
  private int open;

  WebSocketCrowd() throws IOException {}

  /** Opens {@code count} more, of which the first {@code talkers} talk. */
  void open(int port, int count, int talkers) throws IOException {
    for (int i = 0; i < count; i++) {
      WebSocketClient client = WebSocketClient.open(port);
      client.channel().register(selector, SelectionKey.OP_READ, client);
      clients.add(client);
      open++;
      if (i < talkers) {
        client.talk();
      }
      run(0);
    }
  }

  /** Serves all of them until the server has closed each. */
  List<WebSocketClient.End> awaitEnds(long patienceNanos) throws IOException {
    long start = System.nanoTime();
    while (open > 0) {
      if (System.nanoTime() - start > patienceNanos) {
        throw new IOException("%d of %d never ended".formatted(open, clients.size()));
      }
      run(TimeUnit.SECONDS.toMillis(1));
    }
    return clients.stream().map(WebSocketClient::end).toList();
  }

  private void run(long millis) throws IOException {
    talk();
    long wait = turns.isEmpty() ? millis : Math.min(millis, millisUntil(turns.element()));
    if (wait > 0) {
      selector.select(this::ready, wait);
    } else {
      selector.selectNow(this::ready);
    }
  }

  private static long millisUntil(Turn turn) {
    return TimeUnit.NANOSECONDS.toMillis(turn.at() - System.nanoTime());
  }

  private void talk() {
    while (!turns.isEmpty() && turns.element().at() - System.nanoTime() <= 0) {
      WebSocketClient talker = turns.remove().talker();
      if (talker.end() == null) {
        talker.talk();
      }
    }
  }

  private void ready(SelectionKey key) {
    WebSocketClient client = (WebSocketClient) key.attachment();
    if (client.read()) {
      turns.add(new Turn(client, System.nanoTime() + PAUSE));
    }
    if (client.isClosed()) {
      open--;
    }
  }

  @Override
  public void close() throws IOException {
    clients.forEach(WebSocketClient::close);
    selector.close();
  }
}
