/** A web application as it is deployed into a Tomcat: its classes are copied there. */
@NullMarked
package io.lastcall.servlet.orders;

import org.jspecify.annotations.NullMarked;
