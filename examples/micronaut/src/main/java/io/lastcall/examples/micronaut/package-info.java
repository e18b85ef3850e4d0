/**
 * A Micronaut server that leaves without losing a request; copy {@link
 * io.lastcall.examples.micronaut.Quickstart}. {@code MicronautExample} is the same server with the
 * drill's paths.
 */
@NullMarked
package io.lastcall.examples.micronaut;

import org.jspecify.annotations.NullMarked;
