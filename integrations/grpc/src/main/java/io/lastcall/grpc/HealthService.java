package io.lastcall.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
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
import io.lastcall.Removable;
import io.lastcall.phase.Phase;
import io.lastcall.probe.Probes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The standard health service (grpc.health.v1), in step with readiness: SERVING as long as {@code
 * /readyz} would answer 200, for the server as a whole (service {@code ""}) and for each service;
 * {@code liveness} is SERVING to the end. SIGTERM alone does not make it NOT_SERVING, unless that
 * is the readiness policy. Its calls are no traffic. Thread-safe.
 *
 * <p>{@code Check} answers what readiness is now. {@code Watch} hears when a shutdown changes
 * readiness, and of everything else (the application's conditions, out of service) at the next
 * {@code Check}, such as the kubelet's.
 */
final class HealthService {
  private static final String PREFIX = HealthGrpc.SERVICE_NAME + "/";
  private static final String LIVENESS = "liveness";

  private final HealthStatusManager manager = new HealthStatusManager();
  private final Probes probes;
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  HealthService(Probes probes) {
    this.probes = probes;
    names.add(HealthStatusManager.SERVICE_NAME_ALL_SERVICES);
    manager.setStatus(LIVENESS, ServingStatus.SERVING);
    update();
  }

  /** Returns whether a method, by its full name, is the health service's. */
  static boolean isHealth(String method) {
    return method.startsWith(PREFIX);
  }

  /** Returns the service, each of whose calls looks at readiness first. */
  ServerServiceDefinition definition() {
    return ServerInterceptors.intercept(
        manager.getHealthService(),
        new ServerInterceptor() {
          @Override
          public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
              ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
            update();
            return new Asked<>(next.startCall(call, headers), probes);
          }
        });
  }

  /** By the pace of the questions core knows how long a kubelet takes to see readiness fail. */
  private static final class Asked<ReqT> extends SimpleForwardingServerCallListener<ReqT> {
    private final Probes probes;

    Asked(ServerCall.Listener<ReqT> listener, Probes probes) {
      super(listener);
      this.probes = probes;
    }

    @Override
    public void onMessage(ReqT message) {
      if (!isForLiveness(message)) {
        probes.readinessAsked();
      }
      super.onMessage(message);
    }

    /** By its text: the message's own type needs protobuf, which nothing else here does. */
    private static boolean isForLiveness(Object message) {
      return message.toString().contains('"' + LIVENESS + '"');
    }
  }

  /** Answers for these services too, and pushes what a shutdown changes to those who watch. */
  List<Removable> follow(GracefulShutdown shutdown, List<ServerServiceDefinition> services) {
    services.forEach(service -> names.add(service.getServiceDescriptor().getName()));
    update();
    // A phase's steps run after the phase's own change of readiness.
    return List.of(
        shutdown.step(Phase.KEEP_SERVING, "grpc health", context -> update()),
        shutdown.step(Phase.FAIL_READINESS, "grpc health", context -> update()));
  }

  /** One at a time: a look that began earlier must not say SERVING later. */
  private synchronized void update() {
    ServingStatus status = probes.isReady() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    names.forEach(name -> manager.setStatus(name, status));
  }
}
