/**
 * Rolls any service under load, and says what it loses. Start at {@link
 * io.lastcall.rollout.RollingUpdate}.
 */
module io.lastcall.rollout {
  requires static org.jspecify;
  requires static org.junit.jupiter.api;
  requires static org.opentest4j;

  exports io.lastcall.rollout;
}
