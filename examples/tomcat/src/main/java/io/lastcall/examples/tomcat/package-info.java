/** An embedded Tomcat that leaves without losing a request. */
@NullMarked
package io.lastcall.examples.tomcat;

import org.jspecify.annotations.NullMarked;
