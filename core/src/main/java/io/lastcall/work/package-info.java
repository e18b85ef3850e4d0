/**
 * Work that is not a request: messages, jobs, tasks. No router sends it to this process, so taking
 * stops at the trigger, what was taken finishes in DRAIN, and what cannot finish is handed back.
 * {@link io.lastcall.work.Work} counts it, a {@link io.lastcall.work.WorkSource} takes it from
 * somewhere else, a {@link io.lastcall.work.Job} is a long piece of it.
 */
@NullMarked
package io.lastcall.work;

import org.jspecify.annotations.NullMarked;
