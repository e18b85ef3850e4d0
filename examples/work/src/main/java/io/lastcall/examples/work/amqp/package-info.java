/** AMQP 0-9-1, with RabbitMQ's client. */
@NullMarked
package io.lastcall.examples.work.amqp;

import org.jspecify.annotations.NullMarked;
