package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ReflectionUtils;

/** Sources of beans that are named in {@code lastcall.stop-first}. */
final class NamedTaker {
  private static final long AGAIN_MILLIS = 10;

  private NamedTaker() {}

  /** Returns whether a bean of a type can be named without a method. */
  static boolean canStop(@Nullable Class<?> type) {
    return type != null
        && (Lifecycle.class.isAssignableFrom(type) || AutoCloseable.class.isAssignableFrom(type));
  }

  /** Returns the source of a bean that {@link #canStop}. */
  static WorkSource of(Object bean) {
    if (bean instanceof SmartLifecycle lifecycle) {
      return WorkSource.ofBlockingStop(() -> stop(lifecycle));
    }
    if (bean instanceof Lifecycle lifecycle) {
      return WorkSource.ofBlockingStop(
          () -> {
            lifecycle.stop();
            awaitStopped(lifecycle);
          });
    }
    return WorkSource.ofBlockingStop(((AutoCloseable) bean)::close);
  }

  /** The callback comes when all is done, or at once where the class has none of its own. */
  private static void stop(SmartLifecycle lifecycle) throws InterruptedException {
    if (lifecycle.isRunning()) {
      CountDownLatch stopped = new CountDownLatch(1);
      lifecycle.stop(stopped::countDown);
      stopped.await();
      awaitStopped(lifecycle);
    }
  }

  private static void awaitStopped(Lifecycle lifecycle) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    while (lifecycle.isRunning()) {
      boolean unused = never.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
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
  static WorkSource of(Object bean, Method method) {
    Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
    ReflectionUtils.makeAccessible(invocable);
    return WorkSource.ofBlockingStop(() -> call(bean, invocable));
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
