/**
 * The shutdown as meters of Micrometer. {@link io.lastcall.micrometer.ShutdownMetrics} binds them
 * all.
 */
@NullMarked
package io.lastcall.micrometer;

import org.jspecify.annotations.NullMarked;
