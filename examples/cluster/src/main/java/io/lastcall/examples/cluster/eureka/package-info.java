/** A Spring Boot service that leaves its registry first: Eureka, by Spring Cloud's client. */
@NullMarked
package io.lastcall.examples.cluster.eureka;

import org.jspecify.annotations.NullMarked;
