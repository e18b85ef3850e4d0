/** A WebFlux service that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.webflux;

import org.jspecify.annotations.NullMarked;
