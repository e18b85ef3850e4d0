/** The JDK's HTTP server as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.jdk;

import org.jspecify.annotations.NullMarked;
