/**
 * A gRPC server that leaves without losing a call. To copy: {@link
 * io.lastcall.examples.grpc.GrpcDrain} and what it uses, which is all but {@code GrpcExample},
 * {@code Echo}, {@code Load} and {@code ServerProcess}.
 */
@NullMarked
package io.lastcall.examples.grpc;

import org.jspecify.annotations.NullMarked;
