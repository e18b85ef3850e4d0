/** The picture of a rollout as a page of its own: {@code Page}, one {@code PodPlot} per pod. */
@NullMarked
package io.lastcall.rollout.picture;

import org.jspecify.annotations.NullMarked;
