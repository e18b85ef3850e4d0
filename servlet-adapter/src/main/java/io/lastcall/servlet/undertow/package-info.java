/**
 * What an exact drain of Undertow needs beside the filter: {@link
 * io.lastcall.servlet.undertow.UndertowServer} opens Undertow's own HTTP listeners such that it
 * sees every connection from its first byte, and is the server's role in the shutdown.
 */
@NullMarked
package io.lastcall.servlet.undertow;

import org.jspecify.annotations.NullMarked;
