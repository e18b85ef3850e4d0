/** A Helidon SE server that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.helidon;

import org.jspecify.annotations.NullMarked;
