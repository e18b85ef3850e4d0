package io.lastcall.spring;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.phase.Trigger;
import io.lastcall.report.ShutdownListener;
import org.reactivestreams.Publisher;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Sends the head of each event stream without an end once a shutdown has begun: WebFlux sends none
 * before the first event, and without it the connection cannot know that the response is a stream,
 * which does not hold DRAIN.
 */
final class EventStreamHeads implements WebFilter, Ordered, ShutdownListener {
  private final Sinks.Empty<Void> begun = Sinks.empty();

  @Override
  public void began(Trigger trigger) {
    begun.tryEmitEmpty();
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    Response response =
        new Response(exchange.getRequest().getMethod().name(), exchange.getResponse());
    return chain.filter(exchange.mutate().response(response).build());
  }

  private final class Response extends ServerHttpResponseDecorator {
    private final String method;

    Response(String method, ServerHttpResponse response) {
      super(response);
      this.method = method;
    }

    @Override
    public Mono<Void> writeAndFlushWith(
        Publisher<? extends Publisher<? extends DataBuffer>> events) {
      return super.writeAndFlushWith(isEndless() ? withHead(events) : events);
    }

    private boolean isEndless() {
      HttpStatusCode status = getStatusCode();
      return EndlessResponse.isKnown(
          method,
          status == null ? HttpStatus.OK.value() : status.value(),
          getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
          getHeaders().getFirst(EndlessResponse.HEADER));
    }

    /** A part that is empty has the head sent. One event is asked for at a time, as before. */
    private Flux<Publisher<? extends DataBuffer>> withHead(
        Publisher<? extends Publisher<? extends DataBuffer>> events) {
      Sinks.Empty<Void> first = Sinks.empty();
      Flux<Publisher<? extends DataBuffer>> own =
          Flux.<Publisher<? extends DataBuffer>>from(events)
              .doOnNext(event -> first.tryEmitEmpty())
              .doOnTerminate(first::tryEmitEmpty);
      Mono<Publisher<? extends DataBuffer>> head =
          begun
              .asMono()
              .<Publisher<? extends DataBuffer>>thenReturn(
                  Mono.fromSupplier(() -> bufferFactory().wrap(new byte[0])))
              .takeUntilOther(first.asMono());
      return Flux.merge(1, own, head);
    }
  }
}
