/** The agent beside applications that know nothing of it, each in a JVM of its own. */
@NullMarked
package io.lastcall.agent;

import org.jspecify.annotations.NullMarked;
