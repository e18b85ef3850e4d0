/** The little JSON the library writes: plan and report. Not exported. */
@NullMarked
package io.lastcall.json;

import org.jspecify.annotations.NullMarked;
