/**
 * For other artifacts of the library, and for adapters of servers that it does not know. An {@link
 * io.lastcall.spi.Extension} runs from {@code install()} to the exit; the other types are tools for
 * a server's last connections. All may change in any minor release before 1.0.
 */
@NullMarked
package io.lastcall.spi;

import org.jspecify.annotations.NullMarked;
