/** Micronaut as a subject of the drill and of other black-box tests. */
@NullMarked
package io.lastcall.subjects.micronaut;

import org.jspecify.annotations.NullMarked;
