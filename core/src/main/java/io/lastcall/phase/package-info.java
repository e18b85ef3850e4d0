/** The five phases of a shutdown, what starts them, and the steps that run in them. */
@NullMarked
package io.lastcall.phase;

import org.jspecify.annotations.NullMarked;
