/**
 * Lastcall in Spring Boot. {@link io.lastcall.spring.LastcallAutoConfiguration} installs the
 * shutdown of the process from {@code lastcall.*} properties and keeps it in step with the
 * application context; {@link io.lastcall.spring.LastcallServletAutoConfiguration} puts the filter,
 * the probes and the connector of Tomcat or Jetty in place, {@link
 * io.lastcall.spring.LastcallReactiveAutoConfiguration} the handlers of Reactor Netty, {@link
 * io.lastcall.spring.LastcallGrpcAutoConfiguration} those of the gRPC server; {@link
 * io.lastcall.spring.LastcallWorkAutoConfiguration} takes listeners of messages and executors in,
 * {@link io.lastcall.spring.LastcallHikariAutoConfiguration} pools of HikariCP. An application
 * needs no line of code.
 */
@NullMarked
package io.lastcall.spring;

import org.jspecify.annotations.NullMarked;
