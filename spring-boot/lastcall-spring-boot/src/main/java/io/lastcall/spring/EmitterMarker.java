package io.lastcall.spring;

import io.lastcall.servlet.LongLived;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.MediaType;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.AsyncHandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Says of a handler method's event stream that it is one: Spring sends no head yet. */
final class EmitterMarker implements AsyncHandlerInterceptor {

  @Override
  public void afterConcurrentHandlingStarted(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (producesEvents(request) || (handler instanceof HandlerMethod method && isEmitter(method))) {
      LongLived.markEventStream(request);
    }
  }

  /** By its mapping, which knows what a reactive type does not say. */
  private static boolean producesEvents(HttpServletRequest request) {
    return Set.of(MediaType.TEXT_EVENT_STREAM)
        .equals(request.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE));
  }

  /** By its declared type: {@code SseEmitter} or, say, {@code ResponseEntity<SseEmitter>}. */
  private static boolean isEmitter(HandlerMethod method) {
    ResolvableType type = ResolvableType.forMethodParameter(method.getReturnType());
    ResolvableType body = type.as(HttpEntity.class).getGeneric();
    return isEmitter(type) || isEmitter(body);
  }

  private static boolean isEmitter(ResolvableType type) {
    return SseEmitter.class.isAssignableFrom(type.resolve(Object.class));
  }
}
