/** Components made by Spring: whatever has {@code @OnShutdown} is found. */
@NullMarked
package io.lastcall.examples.spring;

import org.jspecify.annotations.NullMarked;
