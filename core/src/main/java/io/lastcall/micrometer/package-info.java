/**
 * Metrics by Micrometer, which is optional: nothing else in the library refers to this package.
 * {@link io.lastcall.micrometer.ShutdownMetrics} binds them all.
 */
@NullMarked
package io.lastcall.micrometer;

import org.jspecify.annotations.NullMarked;
