package io.lastcall.rollout.load;

import java.time.Duration;

/**
 * How the clients behave.
 *
 * @param http2 HTTP/2 with prior knowledge (over TLS by ALPN) in place of HTTP/1.1
 * @param tls any certificate is accepted
 * @param idlePerNode how many idle keep-alive connections a node holds at most
 * @param watchIdle close an idle connection as the server ends it, not only on its next use
 * @param timeout how long a client waits for bytes
 * @param longestAnswer how long an answer may take, beyond the waits for its bytes
 */
public record LoadSettings(
    boolean http2,
    boolean tls,
    int idlePerNode,
    boolean watchIdle,
    Duration timeout,
    Duration longestAnswer) {}
