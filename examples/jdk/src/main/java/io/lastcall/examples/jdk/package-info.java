/** The JDK's own HTTP server, leaving without losing a request. */
@NullMarked
package io.lastcall.examples.jdk;

import org.jspecify.annotations.NullMarked;
