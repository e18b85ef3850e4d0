/**
 * Trials of the agent: {@link io.lastcall.agent.trials.AgentTrialsTest} rolls each {@link
 * io.lastcall.agent.trials.Subject} as it is and with the agent. The subjects' sources are in
 * {@code services}.
 */
@NullMarked
package io.lastcall.agent.trials;

import org.jspecify.annotations.NullMarked;
