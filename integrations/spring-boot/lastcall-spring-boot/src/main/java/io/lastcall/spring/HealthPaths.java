package io.lastcall.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.core.env.Environment;

/** Where Actuator has its health on the service's port, its groups' additional paths included. */
record HealthPaths(Environment environment, ObjectProvider<PathMappedEndpoints> endpoints)
    implements Supplier<Collection<String>> {
  private static final EndpointId HEALTH = EndpointId.of("health");

  @Override
  public Collection<String> get() {
    PathMappedEndpoints known = endpoints.getIfAvailable();
    if (known == null) {
      return List.of();
    }
    List<@Nullable String> paths =
        new ArrayList<>(known.getAdditionalPaths(WebServerNamespace.SERVER, HEALTH));
    if (ManagementPortType.get(environment) == ManagementPortType.SAME) {
      paths.add(known.getPath(HEALTH));
    }
    String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
    return paths.stream()
        .filter(path -> path != null)
        .map(path -> (servlet + "/" + path).replaceAll("/+", "/"))
        .toList();
  }
}
