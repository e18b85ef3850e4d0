package io.lastcall.examples.cluster.eureka;

import com.netflix.appinfo.InstanceInfo;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.cloud.netflix.eureka.server.event.EurekaInstanceCanceledEvent;
import org.springframework.cloud.netflix.eureka.server.event.EurekaInstanceRegisteredEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Eureka, which notes what its instances do. It has no annotation of a configuration: the service,
 * which has it on its class path too, must not find it.
 */
@EnableAutoConfiguration
@EnableEurekaServer
class EurekaServer {
  private static final int SERVED = 204;

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger refusals = new AtomicInteger();
  private final Map<String, Integer> ports = new HashMap<>();
  private final Set<String> present = new HashSet<>();
  private final Set<String> gone = new HashSet<>();
  private final Map<Integer, Long> left = new HashMap<>();
  private final List<CompletableFuture<HttpResponse<Void>>> answers = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();

  /** Answers 503 to the next requests to deregister. */
  void refuseDeregistrations(int number) {
    refusals.set(number);
  }

  @Bean
  @Order(Ordered.HIGHEST_PRECEDENCE)
  Filter refusing() {
    return (request, response, chain) -> {
      if (((HttpServletRequest) request).getMethod().equals("DELETE")
          && refusals.getAndUpdate(number -> Math.max(0, number - 1)) > 0) {
        ((HttpServletResponse) response).setStatus(503);
      } else {
        chain.doFilter(request, response);
      }
    };
  }

  @EventListener
  synchronized void registered(EurekaInstanceRegisteredEvent event) {
    InstanceInfo info = event.getInstanceInfo();
    if (ports.put(info.getId(), info.getPort()) == null) {
      left.remove(info.getPort()); // it may be another one's port again
    }
    present.add(info.getId());
    if (gone.contains(info.getId()) && info.getStatus() != InstanceInfo.InstanceStatus.DOWN) {
      wrong.add(info.getId() + " left, and came back as " + info.getStatus());
    }
  }

  /** Comes twice for each. */
  @EventListener
  synchronized void canceled(EurekaInstanceCanceledEvent event) {
    present.remove(event.getServerId());
    Integer port = ports.get(event.getServerId());
    if (port != null && gone.add(event.getServerId())) {
      left.put(port, System.nanoTime());
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/")).build();
      answers.add(http.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
    }
  }

  /** Returns when the instance at a port left, by the machine's monotonic clock. */
  synchronized OptionalLong left(int port) {
    return Stream.ofNullable(left.get(port)).mapToLong(Long::longValue).findFirst();
  }

  /**
   * Returns what has been wrong since the last call: one that left must serve on, and stay away.
   */
  synchronized List<String> wrong() {
    List<String> since = new ArrayList<>(wrong);
    for (CompletableFuture<HttpResponse<Void>> answer : answers) {
      int status = answer.join().statusCode();
      if (status != SERVED) {
        since.add("it had left, and answered " + status);
      }
    }
    gone.stream().filter(present::contains).map(id -> id + " is there again").forEach(since::add);
    wrong.clear();
    answers.clear();
    return since;
  }
}
