@NullMarked
package io.lastcall.agent.loading;

import org.jspecify.annotations.NullMarked;
