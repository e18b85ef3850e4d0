/**
 * Admission and counting: what adapters call for every request. {@link
 * io.lastcall.inflight.RequestGate} lets requests in, {@link io.lastcall.inflight.Permit} lets each
 * out once, an {@link io.lastcall.inflight.EventLoopPermit} does so cheaper on an event loop,
 * {@link io.lastcall.inflight.GateControl} is the sequence's end of the gate.
 */
@NullMarked
package io.lastcall.inflight;

import org.jspecify.annotations.NullMarked;
