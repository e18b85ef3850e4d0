/** The records of a shutdown: log, termination message and report file. Not exported. */
@NullMarked
package io.lastcall.publish;

import org.jspecify.annotations.NullMarked;
