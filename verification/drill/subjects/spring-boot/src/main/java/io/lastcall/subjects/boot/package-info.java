/** A Spring Boot service as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.boot;

import org.jspecify.annotations.NullMarked;
