/**
 * Puts calls of the agent into servers' classes as they are loaded: {@code Place} is the list,
 * {@code Weaver} does it.
 */
@NullMarked
package io.lastcall.agent.weaving;

import org.jspecify.annotations.NullMarked;
