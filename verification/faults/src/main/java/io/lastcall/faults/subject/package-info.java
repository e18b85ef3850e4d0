/**
 * The process that is broken: {@code Subject} installs Lastcall, starts one server or none, and
 * puts each {@code Act} in its place. It says what it does over {@code Control}, since its output
 * may be what is broken.
 */
@NullMarked
package io.lastcall.faults.subject;

import org.jspecify.annotations.NullMarked;
