/** A Netty server that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.netty;

import org.jspecify.annotations.NullMarked;
