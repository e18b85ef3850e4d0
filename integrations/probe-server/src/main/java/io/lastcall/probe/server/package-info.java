/**
 * The probes apart from the service: {@link io.lastcall.probe.server.ProbePort} answers them on a
 * port of their own, {@link io.lastcall.probe.server.ReadinessSigns} shows readiness as a file or a
 * port. Nothing here is called by an application: on the class path it is enough, with the settings
 * {@code probe-port}, {@code readiness-file} and {@code readiness-port}.
 */
@NullMarked
package io.lastcall.probe.server;

import org.jspecify.annotations.NullMarked;
