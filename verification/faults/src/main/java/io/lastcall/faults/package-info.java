/**
 * The faults, from the outside in: {@code Faults} runs every {@code Fault} of {@code Kinds}, two at
 * a time. A fault says how its {@code SubjectJvm} is broken, what clients do, and what is {@code
 * Right}. {@code Run} makes it: it starts the JVM, puts {@code Load} on it, signals, and waits for
 * its end. {@code Verdict} compares, {@code Table} writes it into the documentation.
 */
@NullMarked
package io.lastcall.faults;

import org.jspecify.annotations.NullMarked;
