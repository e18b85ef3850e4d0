package io.lastcall.spring.taker;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.env.Environment;

/** Tells a native image which methods {@link StopFirst} calls. */
final class StopFirstHints implements BeanRegistrationAotProcessor {
  /** For Spring. */
  StopFirstHints() {}

  /** By the bean's declared type: of a {@code @Bean} method that is what it returns. */
  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    String prefix = bean.getBeanName() + ".";
    List<Method> methods =
        StopFirst.names(bean.getBeanFactory().getBean(Environment.class)).stream()
            .filter(named -> named.startsWith(prefix))
            .map(named -> BeanStop.method(bean.getBeanClass(), named.substring(prefix.length())))
            .filter(Objects::nonNull)
            .toList();
    return methods.isEmpty()
        ? null
        : (context, code) ->
            methods.forEach(
                method ->
                    context
                        .getRuntimeHints()
                        .reflection()
                        .registerMethod(method, ExecutableMode.INVOKE));
  }
}
