/** Graceful shutdown for JVM services on Kubernetes. Start at {@link io.lastcall}. */
@SuppressWarnings("requires-transitive-automatic") // Micrometer has no descriptor
module io.lastcall.core {
  requires org.slf4j;
  requires static transitive org.jspecify;
  requires static jdk.unsupported;
  requires static transitive micrometer.core;

  exports io.lastcall;
  exports io.lastcall.annotation;
  exports io.lastcall.connection;
  exports io.lastcall.inflight;
  exports io.lastcall.micrometer;
  exports io.lastcall.phase;
  exports io.lastcall.plan;
  exports io.lastcall.probe;
  exports io.lastcall.report;
  exports io.lastcall.time;
}
