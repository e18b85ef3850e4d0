/**
 * Connections that outlive a request, and the servers that hold them. {@link
 * io.lastcall.connection.DrainableServer} is the role of a server in a shutdown, {@link
 * io.lastcall.connection.Connections} is where adapters register what must be told to end, {@link
 * io.lastcall.connection.Pacer} spreads many closings over time, {@link
 * io.lastcall.connection.Backlog} proves that a listener's queue was accepted, {@link
 * io.lastcall.connection.Http2Leaving} is when a client is told to leave HTTP/2, {@link
 * io.lastcall.connection.Attempts} goes on where one of several servers or listeners fails.
 */
@NullMarked
package io.lastcall.connection;

import org.jspecify.annotations.NullMarked;
