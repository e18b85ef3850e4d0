/**
 * Consumers, pollers, schedulers and jobs that stop taking work at SIGTERM: a package for each
 * client library, each with one program to copy from.
 */
@NullMarked
package io.lastcall.examples.work;

import org.jspecify.annotations.NullMarked;
