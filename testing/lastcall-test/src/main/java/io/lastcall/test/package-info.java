/**
 * A shutdown under test: the real core with the real plan and sequence, in time that the test
 * moves, in a process that never ends. {@link io.lastcall.test.TestShutdown} is what tests use.
 * {@code ManualTime} is the clock, {@code Standstill} knows when all that is due has run.
 */
@NullMarked
package io.lastcall.test;

import org.jspecify.annotations.NullMarked;
