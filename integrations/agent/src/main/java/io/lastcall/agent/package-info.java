/**
 * The agent's entry and its own class loader. Packages below: {@code weaving} puts calls into
 * servers' classes, {@code loading} defines the adapters next to them, {@code server} has what is
 * done there for each kind of server, {@code service} is the one shutdown of the process, {@code
 * log} writes where the application logs.
 */
@NullMarked
package io.lastcall.agent;

import org.jspecify.annotations.NullMarked;
