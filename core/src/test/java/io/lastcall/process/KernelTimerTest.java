package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Where it is allowed it ends its process: see {@code ForkedJvmTest}. */
class KernelTimerTest {

  @Test
  void ifAllowed_nobodyHasAllowedNativeAccess_isNone() throws Throwable {
    assertFalse(ForeignFunctions.areAllowed());
    assertNull(KernelTimer.ifAllowed(HaltAid.ofThisJvm()));
  }
}
