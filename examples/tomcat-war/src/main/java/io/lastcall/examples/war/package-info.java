/** A web application whose Tomcat drains it. */
@NullMarked
package io.lastcall.examples.war;

import org.jspecify.annotations.NullMarked;
