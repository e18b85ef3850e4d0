package io.lastcall.drill;

import java.util.Locale;

/** The phases a Lastcall pod logs on its way out, in their order. */
enum PodPhase {
  KEEP_SERVING,
  FAIL_READINESS,
  DRAIN,
  CLOSE_CONNECTIONS,
  EXIT;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
