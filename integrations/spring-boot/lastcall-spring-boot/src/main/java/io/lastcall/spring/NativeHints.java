package io.lastcall.spring;

import io.lastcall.spring.internals.SpringInternals;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Tells a native image what the starter reaches by name, of classes that are there. */
final class NativeHints implements RuntimeHintsRegistrar {
  /** Classes whose presence is asked for. */
  private static final List<String> TYPES =
      List.of(
          "ch.qos.logback.classic.LoggerContext",
          "org.eclipse.jetty.server.NetworkConnectionLimit",
          "org.eclipse.jetty.websocket.api.Session");

  /** Whose calls a proxy passes on. */
  private static final String JOB_STORE = "org.quartz.spi.JobStore";

  /** For Spring. */
  NativeHints() {}

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
    BindableRuntimeHintsRegistrar.forTypes(LastcallProperties.class).registerHints(hints, loader);
    ReflectionHints reflection = hints.reflection();
    for (String field : SpringInternals.fields()) {
      String[] parts = field.split("#", 2);
      reflection.registerTypeIfPresent(loader, parts[0], type -> type.withField(parts[1]));
    }
    TYPES.forEach(type -> reflection.registerTypeIfPresent(loader, type));
    UnknownServers.TYPES.forEach(type -> reflection.registerTypeIfPresent(loader, type));
    reflection.registerTypeIfPresent(
        loader,
        JOB_STORE,
        builder -> {
          builder.withMembers(MemberCategory.INVOKE_PUBLIC_METHODS);
          hints.proxies().registerJdkProxy(TypeReference.of(JOB_STORE));
        });
  }
}
