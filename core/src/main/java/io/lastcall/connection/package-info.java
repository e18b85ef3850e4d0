/**
 * Servers and connections in a shutdown. {@link io.lastcall.connection.DrainableServer} is the role
 * of a server, {@link io.lastcall.connection.Connections} has the connections that outlive a
 * request.
 */
@NullMarked
package io.lastcall.connection;

import org.jspecify.annotations.NullMarked;
