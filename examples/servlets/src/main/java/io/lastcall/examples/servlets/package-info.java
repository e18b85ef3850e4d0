/** What the servlet examples serve, whatever the container; nothing of the library is in it. */
@NullMarked
package io.lastcall.examples.servlets;

import org.jspecify.annotations.NullMarked;
