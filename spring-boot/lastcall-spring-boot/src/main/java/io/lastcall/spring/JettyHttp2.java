package io.lastcall.spring;

import io.lastcall.servlet.jetty.LastcallHttp2ConnectionFactory;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;

/** Apart from the rest, since Jetty's HTTP/2 is a dependency of its own. */
final class JettyHttp2 {
  private JettyHttp2() {}

  /** Returns the factory that drains, with the settings of Jetty's. */
  static ConnectionFactory drainable(ConnectionFactory factory) {
    if (factory instanceof LastcallHttp2ConnectionFactory
        || !(factory instanceof AbstractHTTP2ServerConnectionFactory from)) {
      // Not Jetty's: the connector says at its start what it thinks of it.
      return factory;
    }
    LastcallHttp2ConnectionFactory to =
        new LastcallHttp2ConnectionFactory(from.getHttpConfiguration());
    to.setInputBufferSize(from.getInputBufferSize());
    to.setMaxEncoderTableCapacity(from.getMaxEncoderTableCapacity());
    to.setMaxDecoderTableCapacity(from.getMaxDecoderTableCapacity());
    to.setInitialSessionRecvWindow(from.getInitialSessionRecvWindow());
    to.setInitialStreamRecvWindow(from.getInitialStreamRecvWindow());
    to.setMaxConcurrentStreams(from.getMaxConcurrentStreams());
    to.setMaxHeaderBlockFragment(from.getMaxHeaderBlockFragment());
    to.setFlowControlStrategyFactory(from.getFlowControlStrategyFactory());
    to.setStreamIdleTimeout(from.getStreamIdleTimeout());
    to.setMaxFrameSize(from.getMaxFrameSize());
    to.setMaxSettingsKeys(from.getMaxSettingsKeys());
    to.setRateControlFactory(from.getRateControlFactory());
    to.setUseInputDirectByteBuffers(from.isUseInputDirectByteBuffers());
    to.setUseOutputDirectByteBuffers(from.isUseOutputDirectByteBuffers());
    return to;
  }
}
