package io.lastcall.spring;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.servlet.LongLived;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitterReturnValueHandler;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Says of an event stream without an end that it is one: Spring sends no head before the first
 * event.
 */
final class EventStreamMarker implements AsyncHandlerInterceptor {

  /** A router function has set the type by now; of a handler method Spring still keeps it. */
  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (EndlessResponse.isEventStream(response.getContentType())
        || producesNothingElse(request)
        || (handler instanceof HandlerMethod method && isReactiveStream(request, method))) {
      mark(request);
    }
  }

  private static void mark(HttpServletRequest request) {
    if (EndlessResponse.isPossible(request.getMethod())) {
      LongLived.markEventStream(request);
    }
  }

  private static boolean producesNothingElse(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE)
            instanceof Collection<?> types
        && types.stream().allMatch(EventStreamMarker::isEvents);
  }

  /** As Spring decides: events by their type, and where there is a choice of media types. */
  private static boolean isReactiveStream(HttpServletRequest request, HandlerMethod method) {
    ResolvableType type = ResolvableType.forMethodParameter(method.getReturnType());
    ReactiveAdapter adapter =
        ReactiveAdapterRegistry.getSharedInstance().getAdapter(type.resolve(Object.class));
    if (adapter == null || !adapter.isMultiValue()) {
      return false; // a Mono or a CompletableFuture is one answer, whatever the client accepts
    }
    Object producible = request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE);
    Collection<?> types =
        producible instanceof Collection<?> some
            ? some
            : MediaType.parseMediaTypes(request.getHeader(HttpHeaders.ACCEPT));
    return type.getGeneric().resolve() == ServerSentEvent.class
        || types.stream().anyMatch(EventStreamMarker::isEvents);
  }

  private static boolean isEvents(Object type) {
    return MediaType.TEXT_EVENT_STREAM.equalsTypeAndSubtype((MediaType) type);
  }

  /** Returns the handlers with one in front that sees what a handler method has returned. */
  static List<HandlerMethodReturnValueHandler> marking(
      List<HandlerMethodReturnValueHandler> handlers) {
    return handlers.stream()
        .map(
            each ->
                each instanceof ResponseBodyEmitterReturnValueHandler ? new Marking(each) : each)
        .toList();
  }

  /** Whatever the method declares to return. */
  private record Marking(HandlerMethodReturnValueHandler emitters)
      implements HandlerMethodReturnValueHandler {
    @Override
    public boolean supportsReturnType(MethodParameter type) {
      return emitters.supportsReturnType(type);
    }

    @Override
    public void handleReturnValue(
        @Nullable Object value,
        MethodParameter type,
        ModelAndViewContainer container,
        NativeWebRequest request)
        throws Exception {
      Object body = value instanceof HttpEntity<?> entity ? entity.getBody() : value;
      HttpServletRequest servlet = request.getNativeRequest(HttpServletRequest.class);
      emitters.handleReturnValue(value, type, container, request);
      if (body instanceof SseEmitter && servlet != null && servlet.isAsyncStarted()) {
        mark(servlet);
      }
    }
  }
}
