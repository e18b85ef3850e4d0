/**
 * Jakarta WebSocket sessions, told to end with 1001; {@link
 * io.lastcall.servlet.websocket.WebSocketSessions} is all that an endpoint needs, and needs {@code
 * jakarta.websocket}; connectors say by {@code Upgrading} which connection a session stands on.
 */
@NullMarked
package io.lastcall.servlet.websocket;

import org.jspecify.annotations.NullMarked;
