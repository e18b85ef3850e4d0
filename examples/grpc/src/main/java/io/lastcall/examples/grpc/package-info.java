/**
 * A gRPC server that leaves without losing a call. To copy: {@link
 * io.lastcall.examples.grpc.Quickstart}. {@code GrpcExample} is the same server with what black-box
 * tests ask for.
 */
@NullMarked
package io.lastcall.examples.grpc;

import org.jspecify.annotations.NullMarked;
