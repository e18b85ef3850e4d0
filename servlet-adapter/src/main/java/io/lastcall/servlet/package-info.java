/**
 * The adapter for Jakarta Servlet 6 containers. {@link io.lastcall.servlet.ShutdownFilter} counts
 * every request to its completed response, marks responses and answers the kubelet, {@link
 * io.lastcall.servlet.LongLived} says of a request that it is a stream and not in flight. What the
 * Servlet API cannot do (listener, idle connections) is the container's own: see {@code
 * io.lastcall.servlet.tomcat} and {@code jetty}; any other container takes {@link
 * io.lastcall.connection.DrainableServer#of}.
 */
@NullMarked
package io.lastcall.servlet;

import org.jspecify.annotations.NullMarked;
