/** A Vert.x server that leaves without losing a request; copy the two classes with Drain in it. */
@NullMarked
package io.lastcall.examples.vertx;

import org.jspecify.annotations.NullMarked;
