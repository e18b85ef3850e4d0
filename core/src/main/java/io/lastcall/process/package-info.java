/**
 * The seam to the JVM process: signals, hooks, exit and halt, and the threads of the library. Not
 * exported: tests put a fake in its place, users never see it.
 */
@NullMarked
package io.lastcall.process;

import org.jspecify.annotations.NullMarked;
