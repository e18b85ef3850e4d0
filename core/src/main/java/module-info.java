/** Graceful shutdown for JVM services on Kubernetes. Start at {@link io.lastcall}. */
module io.lastcall.core {
  requires jdk.unsupported; // the signals
  requires org.slf4j;
  // Not transitive: who does not use it must compile without it.
  requires static org.jspecify;

  exports io.lastcall;
  exports io.lastcall.annotation;
  exports io.lastcall.connection;
  exports io.lastcall.inflight;
  exports io.lastcall.phase;
  exports io.lastcall.plan;
  exports io.lastcall.pool;
  exports io.lastcall.probe;
  exports io.lastcall.report;
  exports io.lastcall.spi;
  exports io.lastcall.time;
  exports io.lastcall.work;

  uses io.lastcall.spi.Extension;
}
