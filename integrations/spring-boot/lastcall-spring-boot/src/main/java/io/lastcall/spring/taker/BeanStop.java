package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** How a bean stops, or ends: by its lifecycle, its close, or a method that is named. */
final class BeanStop {
  /** After others, such as pause, the bean's threads may stay. */
  private static final List<String> ENDS = List.of("shutdown", "stop", "close", "destroy");

  private BeanStop() {}

  /** Returns whether a bean of a type can be named without a method. */
  static boolean canStop(@Nullable Class<?> type) {
    return type != null
        && (Lifecycle.class.isAssignableFrom(type) || AutoCloseable.class.isAssignableFrom(type));
  }

  /** Returns the source of a bean that {@link #canStop}. */
  static WorkSource of(Object bean, Threads threads) {
    return WorkSource.ofBlockingStop(
        () -> {
          stop(bean);
          threads.awaitEnd();
        });
  }

  /** Ends a bean as the context's close would, by its lifecycle, its close, or its other method. */
  static void end(Object bean) throws Exception {
    Class<?> type = AopUtils.getTargetClass(bean);
    if (canStop(type)) {
      stop(bean);
    } else {
      call(
          bean,
          invocable(bean, Objects.requireNonNull(method(type, endMethod(type).orElseThrow()))));
    }
  }

  /** Returns whether {@link #end(Object)} can. */
  static boolean canEnd(Class<?> type) {
    return canStop(type) || endMethod(type).isPresent();
  }

  private static void stop(Object bean) throws Exception {
    if (bean instanceof SmartLifecycle lifecycle) {
      stop(lifecycle);
    } else if (bean instanceof Lifecycle lifecycle) {
      lifecycle.stop();
      Poll.until(() -> !lifecycle.isRunning());
    } else {
      ((AutoCloseable) bean).close();
    }
  }

  /** A stop may only set a flag: what was taken is done once the bean's own threads have ended. */
  interface Threads {
    void awaitEnd() throws InterruptedException;
  }

  /** The callback comes when all is done, or at once where the class has none of its own. */
  private static void stop(SmartLifecycle lifecycle) throws InterruptedException {
    if (lifecycle.isRunning()) {
      CountDownLatch stopped = new CountDownLatch(1);
      lifecycle.stop(stopped::countDown);
      stopped.await();
      Poll.until(() -> !lifecycle.isRunning());
    }
  }

  /** Returns a method without parameters that can be called from outside; null if there is none. */
  static @Nullable Method method(Class<?> type, String name) {
    Method method = ReflectionUtils.findMethod(type, name);
    return method == null || Modifier.isPrivate(method.getModifiers()) ? null : method;
  }

  /**
   * Returns the source of a method: what it returns may be a stage that completes when all is done.
   */
  static WorkSource of(Object bean, Method method, Threads threads) {
    Method invocable = invocable(bean, method);
    return WorkSource.ofBlockingStop(
        () -> {
          call(bean, invocable);
          if (bean instanceof ExecutorService pool && pool.isShutdown()) {
            boolean unused = pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
          }
          if (ENDS.contains(method.getName()) || isPreDestroy(method)) {
            threads.awaitEnd();
          }
        });
  }

  private static Method invocable(Object bean, Method method) {
    Class<?> type = bean.getClass();
    Method invocable =
        ClassUtils.getInterfaceMethodIfPossible(AopUtils.selectInvocableMethod(method, type), type);
    ReflectionUtils.makeAccessible(invocable); // not that of a class of the JDK's, which is closed
    return invocable;
  }

  /** Returns the first method of a class that ends the bean, by its name or annotation, if any. */
  static Optional<String> endMethod(Class<?> type) {
    return ENDS.stream()
        .filter(name -> method(type, name) != null)
        .findFirst()
        .or(
            () ->
                Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
                    .filter(each -> isPreDestroy(each) && method(type, each.getName()) != null)
                    .map(Method::getName)
                    .findFirst());
  }

  private static boolean isPreDestroy(Method method) {
    return MergedAnnotations.from(method).isPresent("jakarta.annotation.PreDestroy");
  }

  private static void call(Object bean, Method method) throws Exception {
    try {
      if (method.invoke(bean) instanceof CompletionStage<?> done) {
        done.toCompletableFuture().get();
      }
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception thrown ? thrown : e;
    }
  }
}
