package io.lastcall.admission;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends a request, and takes an answer that is neither late nor long. Thread-safe. */
final class Http {
  private Http() {}

  /** Returns a client that uses no proxy and follows no redirect: it carries a token. */
  static HttpClient.Builder client() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .proxy(HttpClient.Builder.NO_PROXY);
  }

  /**
   * @param patience for the whole answer
   * @throws HttpTimeoutException if it is late
   * @throws ConnectException if there is no connection
   * @throws IOException for anything else that is no whole answer
   */
  static HttpResponse<byte[]> send(
      HttpClient client, HttpRequest request, int longest, Duration patience) throws IOException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new LimitedBody(longest));
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no answer within " + patience.toMillis() + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } finally {
      answer.cancel(true); // the rest of one that is late; does nothing after an answer
    }
  }

  /** A body that is given up when it is longer than allowed. */
  private static final class LimitedBody implements BodySubscriber<byte[]> {
    private final BodySubscriber<byte[]> body = BodySubscribers.ofByteArray();
    private final int longest;
    private long left;
    private boolean over;

    LimitedBody(int longest) {
      this.longest = longest;
      left = longest;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
      return body.getBody();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      body.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> part) {
      left -= part.stream().mapToLong(ByteBuffer::remaining).sum();
      if (over) {
        return;
      }
      if (left < 0) {
        over = true;
        body.onError(new IOException("the answer is longer than " + longest + " bytes"));
      } else {
        body.onNext(part);
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.onError(failure);
    }

    @Override
    public void onComplete() {
      if (!over) {
        body.onComplete();
      }
    }
  }
}
