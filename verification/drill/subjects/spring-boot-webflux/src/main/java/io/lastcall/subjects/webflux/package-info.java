/** A WebFlux service as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.webflux;

import org.jspecify.annotations.NullMarked;
