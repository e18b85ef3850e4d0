/**
 * Jakarta WebSocket sessions, told to end with 1001; {@link
 * io.lastcall.servlet.websocket.WebSocketSessions} is all there is. Needs {@code
 * jakarta.websocket}.
 */
@NullMarked
package io.lastcall.servlet.websocket;

import org.jspecify.annotations.NullMarked;
