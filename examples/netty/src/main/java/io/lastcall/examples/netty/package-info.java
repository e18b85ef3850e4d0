/** A Netty server that leaves without losing a request: the two lines that matter are marked. */
@NullMarked
package io.lastcall.examples.netty;

import org.jspecify.annotations.NullMarked;
