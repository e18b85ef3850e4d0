/** Embedded Tomcat as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.tomcat;

import org.jspecify.annotations.NullMarked;
