/**
 * Spring Boot 3.5: all that differs from Spring Boot 4 are the names of the factories that make
 * embedded Tomcat and Jetty. Everything else is {@code io.lastcall.spring}, of the starter this one
 * brings.
 */
@NullMarked
package io.lastcall.spring.boot3;

import org.jspecify.annotations.NullMarked;
