/** An embedded Jetty that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.jetty;

import org.jspecify.annotations.NullMarked;
