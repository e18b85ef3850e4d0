/**
 * Readiness for kubelets that do not ask {@code /readyz}: a file, a port. Not exported: the
 * settings {@code readiness-file} and {@code readiness-port} start it.
 */
@NullMarked
package io.lastcall.probe.sign;

import org.jspecify.annotations.NullMarked;
