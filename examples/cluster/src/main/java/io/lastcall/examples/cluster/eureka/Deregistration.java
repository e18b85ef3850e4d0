package io.lastcall.examples.cluster.eureka;

import com.netflix.appinfo.ApplicationInfoManager;
import com.netflix.appinfo.InstanceInfo;
import com.netflix.discovery.EurekaClient;
import com.netflix.discovery.EurekaClientConfig;
import com.netflix.discovery.endpoint.EndpointUtils;
import com.netflix.discovery.shared.resolver.DefaultEndpoint;
import com.netflix.discovery.shared.transport.EurekaHttpClient;
import com.netflix.discovery.shared.transport.TransportClientFactory;
import com.netflix.discovery.shared.transport.jersey.TransportClientFactories;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Leaves Eureka at the trigger. Spring Cloud itself leaves when the context closes, which is after
 * the last request. Copy this class into your application.
 */
@Component
@ConditionalOnProperty(name = "eureka.client.enabled", matchIfMissing = true)
final class Deregistration {
  private static final Logger log = LoggerFactory.getLogger(Deregistration.class);
  private static final long PAUSE_MILLIS = 200;

  private final EurekaClient client;
  private final TransportClientFactories<?> transports;

  Deregistration(EurekaClient client, TransportClientFactories<?> transports) {
    this.client = client;
    this.transports = transports;
  }

  @OnShutdown(phase = Phase.KEEP_SERVING, order = -1, timeout = "10s")
  void leave() throws InterruptedException {
    ApplicationInfoManager instance = client.getApplicationInfoManager();
    // A heartbeat may register it again: as DOWN, which readers leave out.
    instance.setInstanceStatus(InstanceInfo.InstanceStatus.DOWN);
    deregister(instance.getInfo());
    client.shutdown(); // takes up to 3 s, and ends the heartbeats
    deregister(instance.getInfo());
  }

  /** Returns when a server of the registry does not know the instance. */
  private void deregister(InstanceInfo self) throws InterruptedException {
    List<EurekaHttpClient> servers = servers(self);
    for (int i = 0; cancel(self, servers.get(i % servers.size())) != 404; i++) {
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Returns the status; 0 if there is none. */
  private static int cancel(InstanceInfo self, EurekaHttpClient server) {
    try {
      return server.cancel(self.getAppName(), self.getId()).getStatusCode();
    } catch (RuntimeException e) {
      log.warn("Not deregistered from Eureka yet: {}", e.toString());
      return 0;
    }
  }

  /** As the client reaches them, with its TLS and credentials. */
  private List<EurekaHttpClient> servers(InstanceInfo self) {
    EurekaClientConfig config = client.getEurekaClientConfig();
    String zone = InstanceInfo.getZone(config.getAvailabilityZones(config.getRegion()), self);
    TransportClientFactory transport =
        transports.newTransportClientFactory(config, List.of(), self);
    return EndpointUtils.getDiscoveryServiceUrls(
            config, zone, new EndpointUtils.InstanceInfoBasedUrlRandomizer(self))
        .stream()
        .map(url -> transport.newClient(new DefaultEndpoint(url)))
        .toList();
  }
}
