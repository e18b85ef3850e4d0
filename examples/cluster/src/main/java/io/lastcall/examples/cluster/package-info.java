/**
 * Processes that hand over before they stop: leaders, and services in a registry. A package for
 * each system, each with one program to copy from.
 */
@NullMarked
package io.lastcall.examples.cluster;

import org.jspecify.annotations.NullMarked;
