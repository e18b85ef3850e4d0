/**
 * What takes work by itself in a Spring application, and stops at the trigger: a class for each
 * taker that is known, all of one shape ({@link io.lastcall.work.WorkSource}: stop taking, still
 * working, hand back), and {@code lastcall.stop-first} for those that are not. A class is there
 * only where its library is.
 */
@NullMarked
package io.lastcall.spring.taker;

import org.jspecify.annotations.NullMarked;
