/** Reactor Netty as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.reactor;

import org.jspecify.annotations.NullMarked;
