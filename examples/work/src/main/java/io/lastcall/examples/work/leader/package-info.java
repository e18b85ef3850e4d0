/** A leader with a lease, which it gives up as it ends. */
@NullMarked
package io.lastcall.examples.work.leader;

import org.jspecify.annotations.NullMarked;
