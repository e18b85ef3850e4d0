package io.lastcall.spring;

import io.lastcall.work.Work;
import io.lastcall.work.WorkRefusedException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/**
 * Requests on Actuator's own port. They are no traffic: no router sends them, and their connections
 * say nothing of routers. A question for health is not waited for, since an indicator may hang.
 */
record ManagementRequests(Work work, ObjectProvider<PathMappedEndpoints> endpoints) {
  private static final EndpointId HEALTH = EndpointId.of("health");

  /** Returns what to call when the response has ended; more than once does nothing. */
  Runnable begin(String method, String path) {
    if (isHealth(path)) {
      return () -> {};
    }
    try {
      return work.begin(method + ' ' + path)::close;
    } catch (WorkRefusedException late) {
      late.handled(); // it is answered all the same, if it is quick
      return () -> {};
    }
  }

  /** Within a base path of the server, if it has one. */
  private boolean isHealth(String path) {
    PathMappedEndpoints known = endpoints.getIfAvailable();
    String health = known == null ? null : known.getPath(HEALTH);
    return health != null && (path + '/').contains(health + '/');
  }
}
