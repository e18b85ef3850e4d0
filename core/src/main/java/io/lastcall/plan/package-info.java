/**
 * {@link io.lastcall.plan.Setting} is the table of settings, {@link
 * io.lastcall.plan.SettingSources} finds the value that counts, {@link
 * io.lastcall.plan.ShutdownPlan} is the checked result.
 */
@NullMarked
package io.lastcall.plan;

import org.jspecify.annotations.NullMarked;
