/**
 * The clients: an open-loop {@code Load} of {@code Arrival}s over raw {@code HttpConnection}s, so
 * that refused, reset, closed without a byte and cut short are told apart. Each request ends as one
 * {@code Exchange} with one {@code Outcome}. Nothing here knows of pods but their numbers.
 */
@NullMarked
package io.lastcall.rollout.load;

import org.jspecify.annotations.NullMarked;
