/**
 * Defines the adapters next to the classes of a server: once for each class loader that has some,
 * and only what fits to them.
 */
@NullMarked
package io.lastcall.agent.loading;

import org.jspecify.annotations.NullMarked;
