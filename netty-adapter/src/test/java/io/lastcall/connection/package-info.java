/** What tests of the adapter must see of core's insides. */
@NullMarked
package io.lastcall.connection;

import org.jspecify.annotations.NullMarked;
