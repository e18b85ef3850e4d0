/** The adapter placed by itself on the servers of Vert.x 5: one class for an application. */
@NullMarked
package io.lastcall.netty.vertx;

import org.jspecify.annotations.NullMarked;
