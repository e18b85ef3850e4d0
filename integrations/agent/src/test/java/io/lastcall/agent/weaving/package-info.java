/** The places and the classes that have them. */
@NullMarked
package io.lastcall.agent.weaving;

import org.jspecify.annotations.NullMarked;
