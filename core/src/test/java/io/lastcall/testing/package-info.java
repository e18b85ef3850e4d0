/**
 * What the tests of two modules or more use: clients, keys, forked processes, a kubelet. It is the
 * whole of this module's test-jar, so it needs nothing but the JDK, JUnit, and what core exports.
 */
@NullMarked
package io.lastcall.testing;

import org.jspecify.annotations.NullMarked;
