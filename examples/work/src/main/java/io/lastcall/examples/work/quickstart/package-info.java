/** The quick starts of the README: a consumer and a job, each in one file. */
@NullMarked
package io.lastcall.examples.work.quickstart;

import org.jspecify.annotations.NullMarked;
