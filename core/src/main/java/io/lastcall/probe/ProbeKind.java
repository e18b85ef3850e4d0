package io.lastcall.probe;

/** The three questions a kubelet asks. */
public enum ProbeKind {
  /** {@code /livez}: is the process worth keeping? Failing means being restarted. */
  LIVENESS("livez"),
  /** {@code /readyz}: is traffic wanted? */
  READINESS("readyz"),
  /** {@code /startupz}: is start-up over? Until then the other two are not asked. */
  START_UP("startupz");

  private final String text;

  ProbeKind(String text) {
    this.text = text;
  }

  /** Returns its last path segment. */
  @Override
  public String toString() {
    return text;
  }
}
