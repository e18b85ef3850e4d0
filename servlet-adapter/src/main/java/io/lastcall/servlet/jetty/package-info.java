/**
 * What an exact drain of Eclipse Jetty 12 needs besides the filter: {@link
 * io.lastcall.servlet.jetty.LastcallConnector} is Jetty's own {@code ServerConnector}, able to
 * close its listener after the backlog and to tell an idle connection from a busy one; {@link
 * io.lastcall.servlet.jetty.JettyServer} is the server's role in the shutdown. On the module path
 * Jetty's parser needs {@code --add-exports
 * org.eclipse.jetty.server/org.eclipse.jetty.server.internal=io.lastcall.servlet}; where only Jetty
 * is on it, and Lastcall on the class path, {@code ALL-UNNAMED} in place of that module.
 */
@NullMarked
package io.lastcall.servlet.jetty;

import org.jspecify.annotations.NullMarked;
