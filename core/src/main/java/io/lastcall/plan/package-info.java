/**
 * The settings, where their values come from, and the arithmetic that makes a plan of them. {@link
 * io.lastcall.plan.Setting} lists what there is, {@link io.lastcall.plan.SettingSources} finds the
 * value that counts, {@link io.lastcall.plan.ShutdownPlan} is the checked result.
 */
@NullMarked
package io.lastcall.plan;

import org.jspecify.annotations.NullMarked;
