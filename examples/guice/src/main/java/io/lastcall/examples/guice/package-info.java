/** Components made by Guice: whatever has {@code @OnShutdown} is found. */
@NullMarked
package io.lastcall.examples.guice;

import org.jspecify.annotations.NullMarked;
