/**
 * Lastcall for Netty: {@link io.lastcall.netty.NettyDrain} makes the handlers that go right behind
 * an {@code HttpServerCodec} or an {@code Http2FrameCodec}, the handler of a port for probes, and
 * the server role. {@code Http1Connection} and {@code Http2Connection} follow what is in flight on
 * one connection, {@code ConnectionEnd} closes it without losing bytes, {@code ServerConnections}
 * knows all of a listener. No policy and no threads; what a peer may keep waiting is bounded where
 * it is waited for.
 */
@NullMarked
package io.lastcall.netty;

import org.jspecify.annotations.NullMarked;
