package io.lastcall.netty;

/** How far an HTTP/1.1 connection has come. */
enum Http1State {
  /** Requests are let in. */
  OPEN,
  /** The last response is known: no further request is let in. */
  CLOSING,
  /** The last response is out and the output is shut. */
  ENDED,
  /** Not HTTP any more: the head that says so has been written. */
  UPGRADED
}
