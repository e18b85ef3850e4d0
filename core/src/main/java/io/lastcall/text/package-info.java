/** How things are written in logs, reports and probes: in words, and as JSON. Not exported. */
@NullMarked
package io.lastcall.text;

import org.jspecify.annotations.NullMarked;
