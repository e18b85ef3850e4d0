/** An Undertow that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.undertow;

import org.jspecify.annotations.NullMarked;
