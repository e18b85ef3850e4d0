/** A poller of a database table. */
@NullMarked
package io.lastcall.examples.work.poller;

import org.jspecify.annotations.NullMarked;
