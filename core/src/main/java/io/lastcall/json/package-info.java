/** The little JSON the library writes: plan, report and probes. Not exported. */
@NullMarked
package io.lastcall.json;

import org.jspecify.annotations.NullMarked;
