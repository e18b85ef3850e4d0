/**
 * When silence is evidence that no router sends here any more: {@link
 * io.lastcall.propagation.ArrivalHistory} knows the service's own traffic, {@link
 * io.lastcall.propagation.SilenceCriterion} does the statistics. Not exported.
 */
@NullMarked
package io.lastcall.propagation;

import org.jspecify.annotations.NullMarked;
