/**
 * A rollout test for any service: {@link io.lastcall.rollout.RollingUpdate} rolls a command under
 * the load of {@link io.lastcall.rollout.LoadRequest}s; its {@link
 * io.lastcall.rollout.RolloutResult} says what was lost, when and why. With JUnit: {@link
 * io.lastcall.rollout.RollingUpdateTest}. As a command: {@code RolloutCommand}.
 */
@NullMarked
package io.lastcall.rollout;

import org.jspecify.annotations.NullMarked;
