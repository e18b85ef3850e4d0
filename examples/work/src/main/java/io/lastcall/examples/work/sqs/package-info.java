/** Amazon's SQS. */
@NullMarked
package io.lastcall.examples.work.sqs;

import org.jspecify.annotations.NullMarked;
