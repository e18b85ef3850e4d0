/** A Spring Boot service that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.boot;

import org.jspecify.annotations.NullMarked;
