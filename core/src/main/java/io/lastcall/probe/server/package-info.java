/**
 * The probes on a port of their own. Not exported: the setting {@code probe-port} starts it. One
 * thread, no framework, bounded whatever its clients do.
 */
@NullMarked
package io.lastcall.probe.server;

import org.jspecify.annotations.NullMarked;
