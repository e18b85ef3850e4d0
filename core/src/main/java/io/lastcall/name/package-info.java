/**
 * Things that applications name: {@link io.lastcall.name.ByName} has one object for each name. Not
 * exported.
 */
@NullMarked
package io.lastcall.name;

import org.jspecify.annotations.NullMarked;
