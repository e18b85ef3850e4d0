/**
 * Takers of work as users of Spring Boot have them: none has a line about shutdown. Each is a
 * service that serves requests too, so that the propagation delay passes.
 */
@NullMarked
package io.lastcall.examples.takers;

import org.jspecify.annotations.NullMarked;
