/** A Micronaut server that leaves without losing a request: copy {@link Quickstart}. */
@NullMarked
package io.lastcall.examples.micronaut;

import org.jspecify.annotations.NullMarked;
