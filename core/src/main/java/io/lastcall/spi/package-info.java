/** For other artifacts of the library: an extension runs from {@code install()} to the exit. */
@NullMarked
package io.lastcall.spi;

import org.jspecify.annotations.NullMarked;
