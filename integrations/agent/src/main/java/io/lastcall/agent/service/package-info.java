/** The one shutdown of the process: installed for the first server, or not at all. */
@NullMarked
package io.lastcall.agent.service;

import org.jspecify.annotations.NullMarked;
