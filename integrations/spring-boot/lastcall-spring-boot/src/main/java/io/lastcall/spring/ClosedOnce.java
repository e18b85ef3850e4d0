package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Step;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Has a bean closed once whose destroy method has {@code @OnShutdown}: in a shutdown by the step,
 * in the step's phase; without a shutdown by the context, as it destroys the bean. The method is
 * registered with Spring as managed elsewhere, so Spring does not call it by itself.
 *
 * <p>Before the other post-processors: the one for {@code @PreDestroy} asks whether a method is
 * managed elsewhere.
 */
final class ClosedOnce
    implements MergedBeanDefinitionPostProcessor,
        DestructionAwareBeanPostProcessor,
        PriorityOrdered {
  private static final Logger log = LoggerFactory.getLogger(ClosedOnce.class);

  private enum Closer {
    SHUTDOWN,
    CONTEXT
  }

  /** Who closes a bean that has steps: whichever claims it first. */
  private record Claim(GracefulShutdown shutdown, AtomicReference<@Nullable Closer> closer) {
    boolean isFirst(Closer claimant) {
      return closer.compareAndSet(null, claimant);
    }

    /** A bean may have several steps. */
    boolean isShutdowns() {
      return isFirst(Closer.SHUTDOWN) || closer.get() == Closer.SHUTDOWN;
    }
  }

  private final ConfigurableApplicationContext context;

  /** The destroy methods that the context would call, by their beans' names. */
  private final Map<String, List<Method>> destroyMethods = new ConcurrentHashMap<>();

  /** The classes of those beans. */
  private final Set<Class<?>> types = ConcurrentHashMap.newKeySet();

  /** By the beans' identity. */
  private final Map<Object, Claim> claims = Collections.synchronizedMap(new IdentityHashMap<>());

  ClosedOnce(ConfigurableApplicationContext context) {
    this.context = context;
  }

  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  public void postProcessMergedBeanDefinition(
      RootBeanDefinition definition, Class<?> type, String name) {
    if (!ShutdownBeans.takesPart(type, name, context.getBeanFactory())) {
      return;
    }
    List<Method> methods =
        StepMembers.methods(type).stream()
            .filter(method -> isDestroyMethod(method, type, definition))
            .toList();
    if (!methods.isEmpty()) {
      destroyMethods.put(name, methods);
      types.add(type);
      for (Method method : methods) {
        // A private one is known by both.
        definition.registerExternallyManagedDestroyMethod(method.getName());
        definition.registerExternallyManagedDestroyMethod(
            ClassUtils.getQualifiedMethodName(method));
      }
    }
  }

  /** By the annotation, the interface, the definition, or by inference from its name. */
  private static boolean isDestroyMethod(
      Method method, Class<?> type, RootBeanDefinition definition) {
    if (method.getParameterCount() > 0) {
      return false;
    }
    String name = method.getName();
    boolean disposable = DisposableBean.class.isAssignableFrom(type);
    return Arrays.stream(method.getAnnotations())
            .anyMatch(each -> each.annotationType().getSimpleName().equals("PreDestroy"))
        || (disposable && name.equals("destroy"))
        || (isInferred(type, definition)
            ? !disposable && name.equals(ClassUtils.hasMethod(type, "close") ? "close" : "shutdown")
            : name.equals(definition.getDestroyMethodName()));
  }

  private static boolean isInferred(Class<?> type, RootBeanDefinition definition) {
    String declared = definition.getDestroyMethodName();
    return declared == null
        ? AutoCloseable.class.isAssignableFrom(type)
        : declared.equals(AbstractBeanDefinition.INFER_METHOD);
  }

  /** Returns a bean's step, which does nothing once the context has destroyed the bean. */
  Step guarded(Step step, Object bean, GracefulShutdown shutdown) {
    Claim claim = claims.computeIfAbsent(bean, key -> new Claim(shutdown, new AtomicReference<>()));
    return new Step(
        step.phase(),
        step.name(),
        step.order(),
        step.timeout(),
        stepContext -> {
          if (claim.isShutdowns()) {
            step.action().run(stepContext);
          }
        });
  }

  /** For a bean whose steps came too late for the shutdown: the context closes it. */
  void leaveToContext(Object bean) {
    claims.remove(bean);
  }

  @Override
  public boolean requiresDestruction(Object bean) {
    return types.contains(bean.getClass());
  }

  /** Once a shutdown has begun, its steps close the bean; those of EXIT run after this. */
  @Override
  public void postProcessBeforeDestruction(Object bean, String name) {
    Claim claim = claims.get(ShutdownBeans.target(bean));
    boolean contexts =
        claim == null || (!claim.shutdown().isShuttingDown() && claim.isFirst(Closer.CONTEXT));
    if (contexts) {
      destroyMethods.getOrDefault(name, List.of()).forEach(method -> destroy(bean, name, method));
    }
  }

  private static void destroy(Object bean, String name, Method method) {
    try {
      ReflectionUtils.makeAccessible(method);
      method.invoke(bean);
    } catch (InvocationTargetException e) {
      log.warn("{} of bean '{}' failed", method.getName(), name, e.getTargetException());
    } catch (IllegalAccessException | RuntimeException e) {
      log.warn("{} of bean '{}' could not be called", method.getName(), name, e);
    }
  }
}
