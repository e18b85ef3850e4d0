/** Reactor Netty's HTTP servers. Needs {@code reactor-netty-http} and {@code netty-codec-http2}. */
@NullMarked
package io.lastcall.netty.reactor;

import org.jspecify.annotations.NullMarked;
