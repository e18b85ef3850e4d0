/**
 * What a shutdown did. {@link io.lastcall.report.ShutdownReport} is the whole of it, {@link
 * io.lastcall.report.ShutdownListener} hears of it as it happens.
 */
@NullMarked
package io.lastcall.report;

import org.jspecify.annotations.NullMarked;
