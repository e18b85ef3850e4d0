/**
 * The rolling-update drill, from the outside in: {@code RollingUpdate} reads {@code DrillSettings},
 * {@code Drill} makes one {@code Rollout} per server, mode and seed. A rollout starts {@code Pod}s
 * (real JVMs), routes to them through {@code ClusterNode}s, and loads them with an open-loop {@code
 * Load} of {@code Arrival}s over raw {@code HttpConnection}s. Each request ends as one {@code
 * Exchange} with one {@code Outcome}; {@code RunResult} counts them, {@code ResultTable} and {@code
 * HtmlPage} show them.
 */
@NullMarked
package io.lastcall.drill;

import org.jspecify.annotations.NullMarked;
