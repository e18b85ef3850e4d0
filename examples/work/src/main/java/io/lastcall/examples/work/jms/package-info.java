/** JMS, with Artemis. */
@NullMarked
package io.lastcall.examples.work.jms;

import org.jspecify.annotations.NullMarked;
