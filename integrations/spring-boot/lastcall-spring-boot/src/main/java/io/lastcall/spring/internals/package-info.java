/** What the starter reaches by name, in one class that checks it. Nothing else belongs here. */
@NullMarked
package io.lastcall.spring.internals;

import org.jspecify.annotations.NullMarked;
