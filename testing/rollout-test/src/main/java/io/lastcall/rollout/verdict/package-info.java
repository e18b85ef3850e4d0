/**
 * What a recording means: {@code Busy} says whether it can be judged, {@code Causes} names in words
 * why requests were lost. Pure: no clock, no process, no file.
 */
@NullMarked
package io.lastcall.rollout.verdict;

import org.jspecify.annotations.NullMarked;
