/**
 * What the agent does at each kind of server. Defined once for each class loader that has servers,
 * next to the adapters; nothing else of the agent names a class of this package, except in text.
 */
@NullMarked
package io.lastcall.agent.server;

import org.jspecify.annotations.NullMarked;
