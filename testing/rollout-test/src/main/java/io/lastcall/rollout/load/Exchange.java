package io.lastcall.rollout.load;

/**
 * One request and its end. Times are {@link System#nanoTime()} values.
 *
 * @param kind {@link Request#kind}
 * @param pod index of the pod it went to
 * @param planned when the open-loop schedule wanted it
 * @param started when its thread took it up; the difference is this machine's own lateness
 * @param sent when the request's head was written, or the connect that failed began
 * @param ended when the last byte of the response was read, or the failure was seen
 * @param reused whether it went out on a connection that had carried a request before
 * @param status of the response; 0 if none came to its end
 * @param close whether the response said {@code Connection: close}
 * @param detail what a failure looked like; empty for a success
 */
public record Exchange(
    int node,
    int pod,
    String kind,
    boolean keepAlive,
    boolean reused,
    long planned,
    long started,
    long sent,
    long ended,
    Outcome outcome,
    int status,
    boolean close,
    String detail) {

  public boolean failed() {
    return outcome != Outcome.OK;
  }

  public Exchange withOutcome(Outcome other) {
    return new Exchange(
        node, pod, kind, keepAlive, reused, planned, started, sent, ended, other, status, close,
        detail);
  }
}
