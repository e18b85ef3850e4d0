/**
 * Lastcall for grpc-java on Netty. {@link io.lastcall.grpc.GrpcShutdown} prepares and starts a
 * server; {@code CountedCall} counts a call from its headers; {@code CallInterceptor} refuses late
 * calls and registers streaming ones, which end as {@link io.lastcall.grpc.CallEnding} says; {@code
 * GrpcConnection} sends a connection's GOAWAYs and ends it; {@code HealthService} answers {@code
 * grpc.health.v1}. {@link io.lastcall.grpc.CoarseGrpc} is for every other transport. Listener,
 * backlog and event loops are the Netty adapter's.
 */
@NullMarked
package io.lastcall.grpc;

import org.jspecify.annotations.NullMarked;
