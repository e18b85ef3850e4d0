/**
 * What the tests of two modules or more use: clients, keys, forked processes, a kubelet. It is in
 * this module's test-jar, and needs nothing but the JDK, JUnit, and what core exports.
 */
@NullMarked
package io.lastcall.testing;

import org.jspecify.annotations.NullMarked;
