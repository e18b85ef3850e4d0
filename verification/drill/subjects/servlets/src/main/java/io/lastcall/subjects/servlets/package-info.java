/** What the servlet containers serve, whatever the container; nothing of the library is in it. */
@NullMarked
package io.lastcall.subjects.servlets;

import org.jspecify.annotations.NullMarked;
