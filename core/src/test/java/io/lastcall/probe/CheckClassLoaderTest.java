package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In a container with several applications any of them may be asked first, or the probe port. */
@Timeout(60)
class CheckClassLoaderTest {
  private final ClassLoader usual = Thread.currentThread().getContextClassLoader();
  private final ClassLoader orders = new ClassLoader(usual) {};
  private final Map<String, ClassLoader> seen = new HashMap<>();
  private final Probes probes = new Probes(() -> true, () -> true);

  private void as(ClassLoader loader, Runnable body) {
    Thread.currentThread().setContextClassLoader(loader);
    try {
      body.run();
    } finally {
      Thread.currentThread().setContextClassLoader(usual);
    }
  }

  private void check(String name) {
    probes.check(
        ProbeKind.READINESS,
        Check.of(
            name,
            () -> {
              synchronized (seen) {
                seen.put(name, Thread.currentThread().getContextClassLoader());
              }
              return CheckResult.up();
            }));
  }

  @Test
  void check_askedByAnother_hasTheContextClassLoaderOfWhoeverAddedIt() {
    as(orders, () -> check("orders"));
    check("others");
    as(
        new ClassLoader(usual) {},
        () -> assertEquals(200, AskProbes.get(probes, "/readyz").status()));
    assertEquals(Map.of("orders", orders, "others", usual), seen);
  }
}
