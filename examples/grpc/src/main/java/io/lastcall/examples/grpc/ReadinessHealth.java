package io.lastcall.examples.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.HealthStatusManager;
import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.probe.Probes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The standard health service (grpc.health.v1), in step with readiness: SERVING as long as {@code
 * /readyz} would answer 200, for the server as a whole (service {@code ""}) and for each service;
 * {@code liveness} is SERVING to the end. It is not NOT_SERVING at SIGTERM, unless that is the
 * readiness policy. Its calls are no traffic. Thread-safe.
 *
 * <p>{@code Check} asks anew: it answers what readiness is now. {@code Watch} hears when the
 * shutdown changes readiness, and of everything else (the application's own conditions, a lame
 * duck) by the next {@code Check}, such as the kubelet's.
 *
 * <p>What fits a kubelet (1.27 or newer; ports by number only):
 *
 * <pre>{@code
 * startupProbe:                        # NOT_SERVING until started()
 *   grpc: {port: 8080}
 *   periodSeconds: 1
 *   failureThreshold: 60
 * readinessProbe:
 *   grpc: {port: 8080}
 *   periodSeconds: 5                   # failureThreshold x periodSeconds within readiness-hold,
 *   failureThreshold: 1                # if somebody outside goes by the pod's readiness
 * livenessProbe:
 *   grpc: {port: 8080, service: liveness}
 *   periodSeconds: 10
 *   timeoutSeconds: 3                  # the default is 1: a full GC is no reason to restart
 * }</pre>
 *
 * The service's port closes when the drain is over. A probe that must be answered to the very end
 * goes to {@code probe-port} by {@code httpGet}.
 */
final class ReadinessHealth {
  private static final String PREFIX = HealthGrpc.SERVICE_NAME + "/";
  private static final String LIVENESS = "liveness";

  private final HealthStatusManager manager = new HealthStatusManager();
  private final Probes probes;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  ReadinessHealth(Probes probes) {
    this.probes = probes;
    names.add(HealthStatusManager.SERVICE_NAME_ALL_SERVICES);
    manager.setStatus(LIVENESS, ServingStatus.SERVING);
    look();
  }

  /** Returns whether a method, by its full name, is the health service's. */
  static boolean isHealth(String method) {
    return method.startsWith(PREFIX);
  }

  /** Returns the service, which looks before it answers. */
  ServerServiceDefinition service() {
    return ServerInterceptors.intercept(manager.getHealthService(), new Look());
  }

  /** Answers for these services too, and pushes what a shutdown changes to those who watch. */
  void follow(GracefulShutdown shutdown, List<ServerServiceDefinition> services) {
    services.forEach(service -> names.add(service.getServiceDescriptor().getName()));
    look();
    // A phase's steps run behind the phase's own change of readiness, if the policy has one there.
    shutdown.step(Phase.KEEP_SERVING, "grpc health", context -> look());
    shutdown.step(Phase.FAIL_READINESS, "grpc health", context -> look());
  }

  /** One at a time: a look that began earlier must not say SERVING later. */
  private synchronized void look() {
    ServingStatus status = probes.isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    names.forEach(name -> manager.setStatus(name, status));
  }

  /** Each call of the health service looks first. */
  private final class Look implements ServerInterceptor {
    @Override
    public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
        ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
      look();
      return next.startCall(call, headers);
    }
  }
}
