package io.lastcall.spring;

import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Deadline;
import io.rsocket.DuplexConnection;
import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.exceptions.CanceledException;
import io.rsocket.exceptions.ConnectionCloseException;
import io.rsocket.exceptions.RejectedException;
import io.rsocket.plugins.DuplexConnectionInterceptor;
import io.rsocket.plugins.InterceptorRegistry;
import io.rsocket.util.RSocketProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * Lets an RSocket server leave without losing a call: an interceptor that counts, and the coarse
 * role. With Spring Boot nothing is to be done. Without it, copy this file; core is all it needs:
 *
 * <pre>{@code
 * RSocketDrain drain = new RSocketDrain(shutdown.gate(), shutdown.connections());
 * CloseableChannel listener =
 *     RSocketServer.create(acceptor).interceptors(drain::intercept).bindNow(TcpServerTransport.create(8080));
 * shutdown.server(drain.server("rsocket:8080", listener::dispose));
 * }</pre>
 *
 * <p>Every call is in flight until its last frame: DRAIN waits for streams too, since RSocket does
 * not say which of them ends. An application marks those that do not by {@link #endless}. Thread-
 * safe.
 */
public final class RSocketDrain {
  private static final String LEAVING = "the server is shutting down";

  private final RequestGate gate;
  private final Connections connections;
  private final Set<DuplexConnection> open = ConcurrentHashMap.newKeySet();

  /** Creates what counts the calls of one server or more. */
  public RSocketDrain(RequestGate gate, Connections connections) {
    this.gate = gate;
    this.connections = connections;
  }

  /**
   * Marks a stream that lasts until one of its sides ends it, such as a ticker of prices: DRAIN
   * does not wait for it, and it ends in CLOSE_CONNECTIONS, paced, with the error CANCELED. It
   * changes nothing where no {@code RSocketDrain} counts.
   *
   * @param stream as a handler returns it
   */
  public static <T> Flux<T> endless(Flux<T> stream) {
    return Flux.deferContextual(
        context -> {
          context.<Call>getOrEmpty(Call.class).ifPresent(Call::becomeLongLived);
          return stream;
        });
  }

  /** Counts the calls and connections of a server: for {@code RSocketServer.interceptors}. */
  public void intercept(InterceptorRegistry registry) {
    registry
        .forConnection(
            (type, connection) -> {
              if (type == DuplexConnectionInterceptor.Type.SOURCE) {
                open.add(connection);
                Disposable unused =
                    connection.onClose().doFinally(end -> open.remove(connection)).subscribe();
              }
              return connection;
            })
        .forResponder(Counting::new);
  }

  /**
   * Returns the role of a server whose calls are counted: {@code GracefulShutdown.server}.
   *
   * @param name in logs and reports, such as {@code rsocket:8080}
   * @param closeListener must not block
   */
  public DrainableServer server(String name, Runnable closeListener) {
    return DrainableServer.of(
        name,
        deadline -> {
          closeListener.run();
          closeConnections(deadline);
        },
        deadline -> {});
  }

  /** The frame that says so is each connection's last: answers that wait for it go out before. */
  private void closeConnections(Deadline deadline) throws TimeoutException {
    List<DuplexConnection> last = List.copyOf(open);
    last.forEach(each -> each.sendErrorAndClose(new ConnectionCloseException(LEAVING)));
    List<Mono<Void>> ends = last.stream().map(each -> each.onClose().onErrorComplete()).toList();
    Duration longest = deadline.remaining();
    Boolean closed = Mono.when(ends).thenReturn(true).timeout(longest, Mono.just(false)).block();
    if (!Boolean.TRUE.equals(closed)) {
      throw new TimeoutException(
          "%d RSocket connections have not taken all of their answers".formatted(open.size()));
    }
  }

  /** Counts what it hands to the application. */
  private final class Counting extends RSocketProxy {
    Counting(RSocket application) {
      super(application);
    }

    @Override
    public Mono<Void> fireAndForget(Payload payload) {
      return counted("fire-and-forget", payload, () -> super.fireAndForget(payload))
          .singleOrEmpty();
    }

    @Override
    public Mono<Payload> requestResponse(Payload payload) {
      return counted("request-response", payload, () -> super.requestResponse(payload))
          .singleOrEmpty();
    }

    @Override
    public Flux<Payload> requestStream(Payload payload) {
      return counted("request-stream", payload, () -> super.requestStream(payload));
    }

    /** Its first payload is within, so that a refusal has nothing to release. */
    @Override
    public Flux<Payload> requestChannel(Publisher<Payload> payloads) {
      return counted("request-channel", null, () -> super.requestChannel(payloads));
    }

    @Override
    public Mono<Void> metadataPush(Payload payload) {
      return counted("metadata-push", payload, () -> super.metadataPush(payload)).singleOrEmpty();
    }

    private <T> Flux<T> counted(
        String kind, @Nullable Payload payload, Supplier<Publisher<T>> application) {
      return Flux.defer(
          () -> {
            Call call = new Call(kind, connections);
            if (!gate.enter(call)) {
              if (payload != null) {
                payload.release();
              }
              return Flux.error(new RejectedException(LEAVING));
            }
            return Flux.defer(application)
                .contextWrite(Context.of(Call.class, call))
                .takeUntilOther(call.cut.asMono())
                .doFinally(end -> call.ended());
          });
    }
  }

  /** A call's stay, until its last frame is queued, its client has cancelled or is gone. */
  private static final class Call extends Permit {
    private final String kind;
    private final Connections connections;
    private final long began = System.nanoTime();

    /** Ends it with an error. */
    private final Sinks.Empty<Void> cut = Sinks.empty();

    private final AtomicReference<Connections.@Nullable Registration> longLived =
        new AtomicReference<>();

    private volatile boolean over;

    Call(String kind, Connections connections) {
      this.kind = kind;
      this.connections = connections;
    }

    /** Registers before it releases: at no time does the shutdown know nothing of the call. */
    void becomeLongLived() {
      if (longLived.get() != null) {
        return; // subscribed to again
      }
      Connections.Registration registration = connections.register(new Endless(this));
      longLived.set(registration);
      release();
      if (over) {
        registration.closed(); // within register, or before
      }
    }

    void ended() {
      over = true;
      Connections.Registration registration = longLived.get();
      if (registration != null) {
        registration.closed();
      }
      release();
    }

    void cut() {
      cut.tryEmitError(new CanceledException(LEAVING));
    }

    @Override
    protected String description() {
      return "RSocket " + kind;
    }

    @Override
    protected Optional<Duration> age() {
      return Optional.of(Duration.ofNanos(System.nanoTime() - began));
    }

    @Override
    protected boolean giveUp() {
      cut();
      return true;
    }
  }

  private record Endless(Call call) implements LongLivedConnection {
    @Override
    public String kind() {
      return "rsocket-stream";
    }

    @Override
    public void close() {
      call.cut();
    }
  }
}
