package io.lastcall.component;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.phase.StepContext;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.work.WorkSource;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One member with {@link OnShutdown}, checked, as a step. */
final class AnnotatedMember {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);
  private static final List<Class<?>> CLOSED = List.of(ExecutorService.class, AutoCloseable.class);

  private final Object component;
  private final Member member;
  private final OnShutdown annotation;

  AnnotatedMember(Object component, Member member, OnShutdown annotation) {
    this.component = component;
    this.member = member;
    this.annotation = annotation;
  }

  /**
   * @throws IllegalArgumentException naming the member, what is wrong with it and what is allowed
   */
  Step step(UnaryOperator<String> placeholders) {
    refuseStatic();
    StepAction action = member instanceof Method method ? call(method) : close((Field) member);
    open((AccessibleObject) member);
    return new Step(phase(), name(), annotation.order(), timeout(placeholders), action);
  }

  /** Returns whether the field is a source of work, which stops at the trigger, and not a step. */
  static boolean isSource(Field field, OnShutdown annotation) {
    return isSource(field.getType(), annotation);
  }

  static boolean isSource(Class<?> type, OnShutdown annotation) {
    return WorkSource.class.isAssignableFrom(type) && isKeepServing(annotation);
  }

  private static boolean isKeepServing(OnShutdown annotation) {
    try {
      return annotation.phase() == Phase.KEEP_SERVING;
    } catch (EnumConstantNotPresentException unknown) {
      return false; // as a step it is refused
    }
  }

  /**
   * @throws IllegalArgumentException as {@link #step} does
   */
  WorkSource source(Field field) {
    refuseStatic();
    if (annotation.order() != 0 || !annotation.timeout().isEmpty()) {
      throw refused(
          "a WorkSource stops at the trigger and has until DRAIN ends", "no order, no timeout");
    }
    open(field);
    try {
      if (field.get(component) instanceof WorkSource source) {
        return source;
      }
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
    throw refused("it is null", "a WorkSource by the time that its component is given");
  }

  private void refuseStatic() {
    if (Modifier.isStatic(member.getModifiers())) {
      // With two components of its class the step would run twice.
      throw refused("it is static", "a member of the instance");
    }
  }

  private Phase phase() {
    try {
      return annotation.phase();
    } catch (EnumConstantNotPresentException e) {
      // The component was compiled with another version of this library.
      throw refused(
          "phase=" + e.constantName() + " is unknown",
          Arrays.stream(Phase.values()).map(Enum::name).collect(Collectors.joining(", ")));
    }
  }

  String name() {
    String name = annotation.name();
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw refused("name=%s holds control characters".formatted(name), "printable text");
    }
    return name.isBlank() ? simpleName() : name;
  }

  private StepAction call(Method method) {
    Class<?> result = method.getReturnType();
    if (result != void.class
        && !isClosed(result)
        && !CompletionStage.class.isAssignableFrom(result)) {
      throw refused(
          "it returns " + result.getName(),
          "void, CompletionStage, AutoCloseable, ExecutorService");
    }
    List<Class<?>> parameters = Arrays.asList(method.getParameterTypes());
    if (parameters.isEmpty()) {
      return context -> end(invoke(method), context);
    }
    if (parameters.equals(List.of(StepContext.class))) {
      return context -> end(invoke(method, context), context);
    }
    throw refused(
        parameters.stream()
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "it takes (", ")")),
        "no parameter, or one StepContext");
  }

  private StepAction close(Field field) {
    if (!isClosed(field.getType())) {
      throw refused(
          "it is a " + field.getType().getName(),
          WorkSource.class.isAssignableFrom(field.getType())
              ? "phase = KEEP_SERVING, since a WorkSource stops at the trigger"
              : "AutoCloseable, ExecutorService");
    }
    return context -> {
      Object value = field.get(component);
      if (value == null) {
        ShutdownLog.warn(log, "{}: it is null, nothing is closed", place());
      }
      end(value, context);
    };
  }

  private @Nullable Object invoke(Method method, Object... arguments) throws Exception {
    try {
      return method.invoke(component, arguments);
    } catch (InvocationTargetException e) {
      if (e.getTargetException() instanceof Error error) {
        throw error;
      }
      throw e.getTargetException() instanceof Exception exception ? exception : e;
    }
  }

  private void end(@Nullable Object result, StepContext context) throws Exception {
    if (result instanceof CompletionStage<?> stage) {
      Step.awaiting(context.phase(), name(), () -> stage).action().run(context);
    } else if (result instanceof ExecutorService executor) {
      Step.stopping(context.phase(), name(), executor).action().run(context);
    } else if (result instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  /** A placeholder that resolves to nothing is the default, as an empty text is. */
  private Optional<Duration> timeout(UnaryOperator<String> placeholders) {
    String shown = annotation.timeout();
    Duration timeout;
    try {
      String text = placeholders.apply(shown);
      shown = text.equals(shown) ? shown : "%s (%s)".formatted(shown, text);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      timeout = Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw refused("timeout=%s: %s".formatted(shown, e.getMessage()), Durations.ALLOWED);
    }
    if (timeout.isZero()) {
      throw refused("timeout=%s: nothing is done in no time".formatted(shown), "more than 0s");
    }
    return Optional.of(timeout);
  }

  private void open(AccessibleObject object) {
    try {
      object.setAccessible(true);
    } catch (InaccessibleObjectException e) {
      throw refused(
          "it cannot be reached: " + e.getMessage(),
          "a public member of an exported package, or 'opens %s to io.lastcall.core'"
              .formatted(member.getDeclaringClass().getPackageName()));
    }
  }

  private IllegalArgumentException refused(String wrong, String allowed) {
    return new IllegalArgumentException("%s: %s; allowed: %s".formatted(place(), wrong, allowed));
  }

  private String place() {
    return "@OnShutdown on %s.%s".formatted(member.getDeclaringClass().getName(), member.getName());
  }

  /** A JDK proxy is named by its interface. */
  private String simpleName() {
    Class<?> type = component.getClass();
    Class<?> named = Proxy.isProxyClass(type) ? member.getDeclaringClass() : type;
    return Components.name(named) + "." + member.getName();
  }

  private static boolean isClosed(Class<?> type) {
    return CLOSED.stream().anyMatch(closed -> closed.isAssignableFrom(type));
  }
}
