package io.lastcall.spring;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.spring.internals.SpringInternals;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a native image which members of a bean the starter reaches: those with {@code @OnShutdown},
 * a method that {@code lastcall.stop-first} names, and the containers within adapters of Spring
 * Integration. By the bean's declared type: of a {@code @Bean} method that is what it returns.
 */
final class NativeMembers implements BeanRegistrationAotProcessor {
  /** For Spring. */
  NativeMembers() {}

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    List<Member> members = members(bean.getBeanClass());
    members.addAll(stopFirst(bean));
    return members.isEmpty()
        ? null
        : (context, code) ->
            members.forEach(member -> register(context.getRuntimeHints().reflection(), member));
  }

  private static void register(ReflectionHints hints, Member member) {
    if (member instanceof Method method) {
      hints.registerMethod(method, ExecutableMode.INVOKE);
    } else {
      hints.registerField((Field) member);
    }
  }

  private static List<Member> members(Class<?> type) {
    List<Class<?>> types = new ArrayList<>(ClassUtils.getAllInterfacesForClassAsSet(type));
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      types.add(each);
    }
    List<Member> members = new ArrayList<>();
    for (Class<?> each : types) {
      ReflectionUtils.doWithLocalFields(
          each,
          field -> {
            if (field.isAnnotationPresent(OnShutdown.class) || SpringInternals.isContainer(field)) {
              members.add(field);
            }
          });
      ReflectionUtils.doWithLocalMethods(
          each,
          method -> {
            if (method.isAnnotationPresent(OnShutdown.class)) {
              members.add(method);
            }
          });
    }
    return members;
  }

  private static List<Method> stopFirst(RegisteredBean bean) {
    List<Method> methods = new ArrayList<>();
    String prefix = bean.getBeanName() + ".";
    Binder.get(bean.getBeanFactory().getBean(Environment.class))
        .bind("lastcall.stop-first", Bindable.listOf(String.class))
        .orElse(List.of())
        .stream()
        .map(String::strip)
        .filter(named -> named.startsWith(prefix))
        .map(
            named ->
                ReflectionUtils.findMethod(bean.getBeanClass(), named.substring(prefix.length())))
        .forEach(
            method -> {
              if (method != null) {
                methods.add(method);
              }
            });
    return methods;
  }
}
