/** An Armeria server that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.armeria;

import org.jspecify.annotations.NullMarked;
