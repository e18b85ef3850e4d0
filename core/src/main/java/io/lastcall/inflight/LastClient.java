package io.lastcall.inflight;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Whose the last new connection of a shutdown was.
 *
 * @param address the peer's, as the socket says: a client's, or that of a proxy or a NAT
 * @param others from the trigger to the last new connection from elsewhere, or from where is not
 *     known; empty if none came
 * @hidden of the library itself
 */
public record LastClient(InetAddress address, Optional<Duration> others) {}
