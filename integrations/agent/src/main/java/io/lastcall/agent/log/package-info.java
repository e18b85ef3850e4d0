/**
 * Lastcall's lines, in the application's log where it has one of SLF4J's, else on standard error.
 */
@NullMarked
package io.lastcall.agent.log;

import org.jspecify.annotations.NullMarked;
