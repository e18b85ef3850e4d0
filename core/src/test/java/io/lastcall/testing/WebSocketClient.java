package io.lastcall.testing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** The JDK's WebSocket client, with what it is told. */
public final class WebSocketClient {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  public final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
  public final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;

  /** Opens one on {@code /ws}. */
  public WebSocketClient(int port) {
    this(port, "/ws");
  }

  public WebSocketClient(int port, String path) {
    URI uri = URI.create("ws://127.0.0.1:" + port + path);
    socket = HTTP.newWebSocketBuilder().buildAsync(uri, new Listener(texts, closed)).join();
  }

  public void send(String text) {
    socket.sendText(text, true).join();
  }

  /** Sends a text and returns the next that comes. */
  public String exchange(String text) throws InterruptedException {
    send(text);
    return texts.take();
  }

  public void close() {
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
  }

  private record Listener(BlockingQueue<String> texts, CompletableFuture<Integer> closed)
      implements WebSocket.Listener {
    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
      texts.add(text.toString());
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      closed.completeExceptionally(error);
    }
  }
}
