package io.lastcall.drill;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.cluster.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Client libraries that people use, with their connection pools, on a server that leaves: none may
 * see an error as long as it is routed there. They send POSTs that no library sends again.
 */
@Timeout(300)
@Tag("all")
class ClientLibrariesTest {
  private static final String BODY = "0123456789";
  private static final int THREADS_EACH = 3;
  private static final int WARM = 20;

  /** Boot has HTTP/2 off unless it is asked for; the coarse role sends no GOAWAY. */
  private static final List<String> HTTP_1_ALONE = List.of("spring-boot", "undertow");

  /** How long they go on behind the signal; the server's delay is 6 s. */
  private static final Duration ROUTED = Duration.ofMillis(1500);

  private final Path folder;
  private final AtomicInteger answered = new AtomicInteger();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();

  /** Ends the load, as {@link System#nanoTime()}. */
  private volatile long end = Long.MAX_VALUE;

  ClientLibrariesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Sends the body to a URI and returns the answer's. */
  @FunctionalInterface
  private interface Library {
    String post(URI uri) throws Exception;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "undertow", "netty", "spring-boot"})
  void serverLeaves_poolsOfRealClients_seeNoError(String server) throws Exception {
    Path jar = ExampleServer.jar(server);
    assumeTrue(Files.exists(jar), jar + " is not packaged: run mvn verify");
    DrillSettings settings = CommandLine.parse("--delay=6s", "--grace=30s", "--max-lateness=0s");
    try (Pod pod = ExamplePods.start(0, jar, Mode.LASTCALL, settings, folder.resolve("pod.log"));
        CloseableHttpClient apache = HttpClients.custom().disableAutomaticRetries().build()) {
      pod.awaitReady();
      URI uri = URI.create("http://127.0.0.1:" + pod.port() + "/upload");
      List<Thread> load = new ArrayList<>();
      load.addAll(load("jdk", jdk(), uri));
      load.addAll(load("okhttp", okHttp(Protocol.HTTP_1_1), uri));
      if (!HTTP_1_ALONE.contains(server)) {
        // A client each: see OkHttp in docs/known-issues.md.
        for (int i = 0; i < THREADS_EACH; i++) {
          load.add(start("okhttp h2c", okHttp(Protocol.H2_PRIOR_KNOWLEDGE), uri));
        }
      }
      load.addAll(load("apache", target -> apache(apache, target), uri));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> answered.get() > WARM * load.size() || !failures.isEmpty());
      int before = answered.get();
      end = pod.terminate(settings.grace()) + ROUTED.toNanos();
      for (Thread thread : load) {
        thread.join();
      }
      assertEquals(List.of(), List.copyOf(failures));
      assertTrue(answered.get() > before + load.size(), "too little was sent");
      assertEquals(0, pod.exit().get().code());
    }
  }

  private List<Thread> load(String name, Library library, URI uri) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS_EACH; i++) {
      threads.add(start(name, library, uri));
    }
    return threads;
  }

  private Thread start(String name, Library library, URI uri) {
    Thread thread = new Thread(() -> run(name, library, uri), name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void run(String name, Library library, URI uri) {
    while (System.nanoTime() - end < 0 && failures.isEmpty()) {
      try {
        String answer = library.post(uri);
        if (!answer.equals("10")) {
          failures.add(name + ": " + answer);
        }
        answered.getAndIncrement();
      } catch (Exception e) {
        failures.add(name + ": " + e);
      }
    }
  }

  private static Library jdk() {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    return uri ->
        client
            .send(
                HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(BODY)).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
  }

  private static Library okHttp(Protocol protocol) {
    OkHttpClient client = new OkHttpClient.Builder().protocols(List.of(protocol)).build();
    return uri -> {
      Request request = new Request.Builder().url(uri.toURL()).post(new OneShot()).build();
      try (Response response = client.newCall(request).execute()) {
        return response.body().string();
      }
    };
  }

  /**
   * What OkHttp must not send twice. It may still take another connection for what it has not sent
   * at all: between its choice of one and the first frame, a GOAWAY may come.
   */
  private static final class OneShot extends RequestBody {
    @Override
    public @Nullable MediaType contentType() {
      return null;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      sink.writeUtf8(BODY);
    }

    @Override
    public boolean isOneShot() {
      return true;
    }
  }

  private static String apache(CloseableHttpClient client, URI uri) throws Exception {
    HttpPost post = new HttpPost(uri);
    post.setEntity(new StringEntity(BODY));
    return client.execute(post, response -> EntityUtils.toString(response.getEntity()));
  }
}
