/**
 * For artifacts of the library that are not core. {@link io.lastcall.spi.Extension} adds settings,
 * and something that runs from {@code install()} to the exit.
 */
@NullMarked
package io.lastcall.spi;

import org.jspecify.annotations.NullMarked;
