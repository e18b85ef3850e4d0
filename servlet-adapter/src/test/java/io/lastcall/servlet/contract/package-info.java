/**
 * What every container has to do with our filter and our server in it: cases written once, run by a
 * subclass for each of Tomcat and Jetty. What only one of them does is tested beside it.
 */
@NullMarked
package io.lastcall.servlet.contract;

import org.jspecify.annotations.NullMarked;
