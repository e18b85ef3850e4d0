/**
 * Lastcall for Netty: {@link io.lastcall.netty.NettyDrain} makes the handler that goes right behind
 * an {@code HttpServerCodec}, the handler of a port for probes, and the server role. {@code
 * Http1Connection} follows one connection's exchanges, {@code ConnectionEnd} closes it without
 * losing bytes, {@code ServerConnections} knows all of a listener. No policy, no threads, and no
 * timeouts but the two bounds in {@code ConnectionEnd}.
 */
@NullMarked
package io.lastcall.netty;

import org.jspecify.annotations.NullMarked;
