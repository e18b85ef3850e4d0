package io.lastcall.admission;

import io.lastcall.plan.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The environment's settings.
 *
 * @param port {@code PORT}: where it listens, 8443 by default
 * @param certificate {@code TLS_FOLDER}: has {@code tls.crt} and {@code tls.key}
 * @param token {@code TOKEN_FILE}: the applications' {@code pre-stop-token}
 * @param preparePort {@code PREPARE_PORT}: the applications' {@code probe-port}, 9090 by default
 * @param admitAfter {@code ADMIT_AFTER}: how long a Pod is waited for, 10m by default; empty for
 *     {@code never}: then only a prepared Pod is let go
 * @param api {@code KUBERNETES_SERVICE_HOST} and {@code KUBERNETES_SERVICE_PORT}
 * @param account {@code SERVICE_ACCOUNT}: has {@code token} and {@code ca.crt}
 * @param patience {@code PATIENCE}: how long an answer of an application, or of the API server, is
 *     waited for, 2s by default; a review takes up to three, and has 10 s in the manifests
 */
record Settings(
    int port,
    Path certificate,
    Path token,
    int preparePort,
    Optional<Duration> admitAfter,
    String api,
    Path account,
    Duration patience) {

  /**
   * @throws IllegalArgumentException naming the variable, its value and what is allowed
   */
  static Settings of(Map<String, String> environment) {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "kubernetes.default.svc");
    return new Settings(
        port(environment, "PORT", 8443),
        Path.of(environment.getOrDefault("TLS_FOLDER", "/etc/admission/tls")),
        Path.of(environment.getOrDefault("TOKEN_FILE", "/etc/admission/token/token")),
        port(environment, "PREPARE_PORT", 9090),
        admitAfter("environment ADMIT_AFTER", environment.getOrDefault("ADMIT_AFTER", "10m")),
        (host.contains(":") ? "[" + host + "]" : host)
            + ":"
            + port(environment, "KUBERNETES_SERVICE_PORT", 443),
        Path.of(
            environment.getOrDefault(
                "SERVICE_ACCOUNT", "/var/run/secrets/kubernetes.io/serviceaccount")),
        Durations.parse(environment.getOrDefault("PATIENCE", "2s")));
  }

  private static int port(Map<String, String> environment, String name, int usual) {
    return port("environment " + name, environment.getOrDefault(name, Integer.toString(usual)));
  }

  static int port(String source, String text) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
      throw new IllegalArgumentException(
          source + "=" + text + ": allowed is a port from 0 to 65535");
    }
    return Integer.parseInt(text);
  }

  static Optional<Duration> admitAfter(String source, String text) {
    if (text.equals("never")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Durations.parse(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s=%s: %s; allowed is %s, or never"
              .formatted(source, text, e.getMessage(), Durations.ALLOWED),
          e);
    }
  }
}
