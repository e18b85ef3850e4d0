/** A gRPC server that leaves without losing a call: copy {@link Quickstart}. */
@NullMarked
package io.lastcall.examples.grpc;

import org.jspecify.annotations.NullMarked;
