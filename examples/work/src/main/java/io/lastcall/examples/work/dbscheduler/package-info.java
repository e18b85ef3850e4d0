/** Tasks of db-scheduler. */
@NullMarked
package io.lastcall.examples.work.dbscheduler;

import org.jspecify.annotations.NullMarked;
