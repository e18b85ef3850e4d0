package io.lastcall.spring;

import io.lastcall.plan.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConversionFailedException;

/**
 * Binds {@link LastcallProperties}, which are shown and not read: {@link SettingBinding} gives the
 * values to core, which has refused what is none. Spring Boot does not know {@code 1m30s}, and for
 * an enum not {@code off}.
 */
final class ShownSettings extends AbstractBindHandler {
  ShownSettings(BindHandler others) {
    super(others);
  }

  @Override
  public @Nullable Object onFailure(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
      throws Exception {
    if (!SettingBinding.LASTCALL.isAncestorOf(name)) {
      return super.onFailure(name, target, context, error);
    }
    return error instanceof ConversionFailedException text
            && Duration.class.equals(target.getType().resolve())
        ? Durations.parse(String.valueOf(text.getValue()))
        : null;
  }
}
