/** A Reactor Netty server that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.reactor;

import org.jspecify.annotations.NullMarked;
