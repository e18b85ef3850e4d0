package io.lastcall.examples.drill;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One WebSocket of the JDK's client; a talker sends again a while after each echo. */
final class WebSocketClient implements WebSocket.Listener {
  /** What a client reports that has seen no close frame, RFC 6455, section 7.1.5. */
  static final int ABNORMAL = 1006;

  private static final Executor PAUSE =
      CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  /** How it ended, and when, as {@link System#nanoTime()}. */
  record End(int code, long at) {}

  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final boolean talks;

  private WebSocketClient(boolean talks) {
    this.talks = talks;
  }

  static CompletableFuture<WebSocketClient> open(HttpClient client, URI uri, boolean talks) {
    WebSocketClient opened = new WebSocketClient(talks);
    return client.newWebSocketBuilder().buildAsync(uri, opened).thenApply(socket -> opened);
  }

  CompletableFuture<End> end() {
    return end;
  }

  @Override
  public void onOpen(WebSocket socket) {
    socket.request(Long.MAX_VALUE);
    if (talks) {
      talk(socket);
    }
  }

  private static void talk(WebSocket socket) {
    // A send that fails is no news: how the connection ended is told by onClose or onError.
    var unused = socket.sendText("still there?", true);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    if (talks && !end.isDone()) {
      PAUSE.execute(() -> talk(socket));
    }
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
    end.complete(new End(code, System.nanoTime()));
    return null;
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    end.complete(new End(ABNORMAL, System.nanoTime()));
  }
}
