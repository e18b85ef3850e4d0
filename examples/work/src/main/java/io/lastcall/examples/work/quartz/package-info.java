/** Quartz, whose running jobs end, and none begins. */
@NullMarked
package io.lastcall.examples.work.quartz;

import org.jspecify.annotations.NullMarked;
