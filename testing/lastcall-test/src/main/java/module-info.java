/**
 * Tests of what a service does as it shuts down. Start at {@link io.lastcall.test.TestShutdown}.
 */
module io.lastcall.test {
  requires transitive io.lastcall.core;
  requires java.management; // whether a thread has waited again
  requires static org.jspecify;

  exports io.lastcall.test;
}
