/**
 * Lastcall for Netty: {@link io.lastcall.netty.NettyDrain} makes the handlers that go right after
 * an {@code HttpServerCodec} or an {@code Http2FrameCodec}, and the server role. {@code
 * Http1Connection} and {@code Http2Connection} follow the requests in flight on one connection,
 * {@code ConnectionEnd} closes it without losing bytes, {@code ServerConnections} has all of a
 * listener. No policy and no threads; each wait for a peer has a bound where it waits.
 */
@NullMarked
package io.lastcall.netty;

import org.jspecify.annotations.NullMarked;
