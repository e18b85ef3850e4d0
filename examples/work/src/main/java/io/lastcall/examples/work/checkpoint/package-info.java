/** A long job as a Kubernetes Job runs it. */
@NullMarked
package io.lastcall.examples.work.checkpoint;

import org.jspecify.annotations.NullMarked;
