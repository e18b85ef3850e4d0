/**
 * The sequence of a shutdown: the five phases, the time they have, the steps that run in them, and
 * what is recorded of them. Not exported.
 */
@NullMarked
package io.lastcall.sequence;

import org.jspecify.annotations.NullMarked;
