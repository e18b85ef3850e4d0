/**
 * What an exact drain of Apache Tomcat 10.1 and 11 needs besides the filter: {@link
 * io.lastcall.servlet.tomcat.LastcallProtocol} is Tomcat's own HTTP/1.1 NIO connector, able to
 * close its listener after the backlog and to tell an idle connection from a busy one; {@link
 * io.lastcall.servlet.tomcat.TomcatServer} is the server's role in the shutdown. {@link
 * io.lastcall.servlet.tomcat.LastcallListener} puts both into a Tomcat that its own scripts start.
 */
@NullMarked
package io.lastcall.servlet.tomcat;

import org.jspecify.annotations.NullMarked;
