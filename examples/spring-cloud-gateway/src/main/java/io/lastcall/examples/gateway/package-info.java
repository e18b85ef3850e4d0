/** A gateway that leaves without losing a request that it proxies. */
@NullMarked
package io.lastcall.examples.gateway;

import org.jspecify.annotations.NullMarked;
