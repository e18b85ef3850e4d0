/**
 * Servers and connections in a shutdown. {@link io.lastcall.connection.DrainableServer} is the role
 * of a server, {@link io.lastcall.connection.Connections} has the connections that outlive a
 * request. For adapters: {@link io.lastcall.connection.Backlog}, {@link
 * io.lastcall.connection.FirstRequest}, {@link io.lastcall.connection.Http2Leaving}.
 */
@NullMarked
package io.lastcall.connection;

import org.jspecify.annotations.NullMarked;
