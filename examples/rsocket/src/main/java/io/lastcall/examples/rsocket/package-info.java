/** An RSocket server that leaves without losing a call: one class to copy, and its use. */
@NullMarked
package io.lastcall.examples.rsocket;

import org.jspecify.annotations.NullMarked;
