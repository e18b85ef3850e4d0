/** Finds the steps of annotated components. Not exported. */
@NullMarked
package io.lastcall.component;

import org.jspecify.annotations.NullMarked;
