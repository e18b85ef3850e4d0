package io.lastcall.spring;

import io.lastcall.spring.internals.SpringInternals;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a native image which members of a bean the starter reaches: those with {@code @OnShutdown},
 * and the containers within adapters of Spring Integration. By the bean's declared type: of a
 * {@code @Bean} method that is what it returns.
 */
final class NativeMembers implements BeanRegistrationAotProcessor {
  /** For Spring. */
  NativeMembers() {}

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Set<Member> members = OnShutdownMembers.of(bean.getBeanClass());
    ReflectionUtils.doWithFields(bean.getBeanClass(), members::add, SpringInternals::isContainer);
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
}
