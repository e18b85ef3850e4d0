/** A Vert.x server that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.vertx;

import org.jspecify.annotations.NullMarked;
