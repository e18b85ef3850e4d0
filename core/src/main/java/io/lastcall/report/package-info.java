/**
 * What a shutdown did. {@link io.lastcall.report.ShutdownReport} has all of it, {@link
 * io.lastcall.report.ShutdownListener} is notified as it happens.
 */
@NullMarked
package io.lastcall.report;

import org.jspecify.annotations.NullMarked;
